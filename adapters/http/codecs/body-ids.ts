import * as t from 'io-ts';
import { AccountId, AudioId, RunId, VideoId, isAddressable } from '../../../domain/kernel/ids.js';

const bodyId = <Id extends string, Output>(codec: t.Type<Id, Output>): t.Type<Id, Output> =>
  t.refinement(codec, isAddressable, 'BodyId');

/** Ids as a request body may give them: those that can be part of a path as well. */
export const BodyVideoId = bodyId(VideoId);
export const BodyAudioId = bodyId(AudioId);
export const BodyAccountId = bodyId(AccountId);
export const BodyRunId = bodyId(RunId);
