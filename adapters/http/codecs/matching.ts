import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { FaceId, NamedId, SpeakerId } from '../../../domain/kernel/ids.js';
import { JsonObject } from '../../../domain/kernel/json.js';
import { Accuracy } from '../../../domain/video/face.js';
import { MatchChannel } from '../../../domain/video/suggestion-block.js';
import { BodyRunId, limits, NameText, ReasonText, Targets } from './values.js';
import { list } from './list.js';

const Mapping = t.intersection(
  [t.type({ face_id: NamedId, speaker_id: NamedId }), t.partial({ name: nullable(NameText) })],
  'Mapping',
);

export const MatchFacesBody = t.type({ mappings: list(Mapping, limits.items, 'mappings') }, 'MatchFacesBody');

const Revision = t.refinement(t.number, (n) => Number.isSafeInteger(n) && n >= 0, 'Revision');

const removed = new t.Type<undefined>(
  'absent: the field was removed',
  (value): value is undefined => value === undefined,
  (value, context) => (value === undefined ? t.success(undefined) : t.failure(value, context)),
  t.identity,
);

/** `target_face_ids` is a removed field: a body that has it is refused (specification, sections 4.3 and 9). */
export const MatchRunBody = t.partial(
  { target_speaker_ids: nullable(Targets), target_face_ids: removed },
  'MatchRunBody',
);

const WrittenMatch = t.intersection([
  t.type({ face_id: FaceId, speaker_id: SpeakerId, accuracy: Accuracy }),
  t.partial({ channel: nullable(MatchChannel), evidence: nullable(JsonObject) }),
]);

const WrittenCandidate = t.intersection([
  t.type({ face_id: FaceId, accuracy: Accuracy }),
  t.partial({ matched_speaker_id: nullable(SpeakerId) }),
]);
export type WrittenCandidate = t.TypeOf<typeof WrittenCandidate>;

/** The result of a worker. `matches` may be absent only if the status is failed. */
export const WriteBackBody = t.partial(
  {
    run_id: nullable(BodyRunId),
    /** The revision of the video whose ids the answer uses. */
    video_revision: nullable(Revision),
    status: nullable(t.keyof({ completed: null, failed: null }, 'WriteBackStatus')),
    error: nullable(ReasonText),
    matches: nullable(list(WrittenMatch, limits.items, 'matches')),
    unmatched_speakers: nullable(
      list(
        t.intersection([
          t.type({ speaker_id: SpeakerId, reason: ReasonText }),
          t.partial({
            candidates: nullable(list(WrittenCandidate, limits.items, 'candidates')),
            nobody: nullable(Accuracy),
          }),
        ]),
        limits.speakers,
        'speakers',
      ),
    ),
  },
  'WriteBackBody',
);
export type WriteBackBody = t.TypeOf<typeof WriteBackBody>;

const Verdict = t.keyof({ confirmed: null, rejected: null }, 'LinkVerdict');

/** Whether a face belongs to a speaker. Confirmed without a face: the speaker is not visible. */
const WrittenDecision = t.refinement(
  t.type({ speaker_id: NamedId, face_id: nullable(NamedId), verdict: Verdict }),
  ({ face_id, verdict }) => face_id !== null || verdict === 'confirmed',
  'WrittenDecision',
);

export const DecisionsBody = t.type({ decisions: list(WrittenDecision, limits.items, 'decisions') }, 'DecisionsBody');

/** With `dry_run`, the answer is the same but nothing is written. */
export const RevertBody = t.partial({ dry_run: nullable(t.boolean) }, 'RevertBody');
