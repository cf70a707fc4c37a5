import * as E from 'fp-ts/lib/Either.js';
import { NamedId, SpeakerId } from '../../../domain/kernel/ids.js';
import { list } from './list.js';

/** Speakers that a request is about: any integers (specification, sections 4.2 and 4.3). */
export const Targets = list(NamedId, 10_000, 'targets');

/** An integer that no speaker can have is a speaker who is not in the audio, not a malformed body (section 7.3). */
export const targetsOf = (
  named: ReadonlyArray<number>,
): E.Either<{ readonly _tag: 'TargetNotInAudio'; readonly speaker_id: number }, ReadonlyArray<SpeakerId>> => {
  const unknown = named.find((speaker_id) => !SpeakerId.is(speaker_id));
  return unknown === undefined
    ? E.right(named.filter(SpeakerId.is))
    : E.left({ _tag: 'TargetNotInAudio', speaker_id: unknown });
};
