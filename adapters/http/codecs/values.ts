import * as t from 'io-ts';
import { AccountId, AudioId, isAddressable, NamedId, RunId, SpeakerId, VideoId } from '../../../domain/kernel/ids.js';
import { list } from './list.js';
import * as E from 'fp-ts/lib/Either.js';

const bodyId = <Id extends string, Output>(codec: t.Type<Id, Output>): t.Type<Id, Output> =>
  t.refinement(codec, isAddressable, 'BodyId');

/** Ids in request bodies: only those that can also be part of a path. */
export const BodyVideoId = bodyId(VideoId);
export const BodyAudioId = bodyId(AudioId);
export const BodyAccountId = bodyId(AccountId);
export const BodyRunId = bodyId(RunId);

const longestText = 10_000;

/** Text that clients may store. */
export const Text = t.refinement(t.string, (text) => text.length <= longestText && text.isWellFormed(), 'Text');

/** The target speakers of a request: any integers (specification, sections 4.2 and 4.3). */
export const Targets = list(NamedId, 10_000, 'targets');

/** An integer that is not a valid speaker id counts as an unknown speaker, not as a malformed body (section 7.3). */
export const targetsOf = (
  named: ReadonlyArray<number>,
): E.Either<{ readonly _tag: 'TargetNotInAudio'; readonly speaker_id: number }, ReadonlyArray<SpeakerId>> => {
  const unknown = named.find((speaker_id) => !SpeakerId.is(speaker_id));
  return unknown === undefined
    ? E.right(named.filter(SpeakerId.is))
    : E.left({ _tag: 'TargetNotInAudio', speaker_id: unknown });
};

/** The face or speaker id in a path; -1, which no face or speaker has, for any other text. */
export const numberInPath = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : -1);
