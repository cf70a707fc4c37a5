import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { NamedId } from '../../../domain/kernel/ids.js';
import { list } from './list.js';

const Verdict = t.keyof({ confirmed: null, rejected: null }, 'LinkVerdict');

/** Whose face is a speaker's or is not; confirmed without a face: the speaker is not to be seen. */
const WrittenDecision = t.refinement(
  t.type({ speaker_id: NamedId, face_id: nullable(NamedId), verdict: Verdict }),
  ({ face_id, verdict }) => face_id !== null || verdict === 'confirmed',
  'WrittenDecision',
);

export const DecisionsBody = t.type({ decisions: list(WrittenDecision, 10_000, 'decisions') }, 'DecisionsBody');
