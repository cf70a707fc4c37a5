import * as t from 'io-ts';

const nullable = <C extends t.Mixed>(codec: C) => t.union([codec, t.null]);

/** The answer of GET statuses?speaker_face_match_status=true. */
export const StatusAnswer = t.type({
  speaker_face_match_status: nullable(t.string),
  queued_at: nullable(t.string),
  mode: nullable(t.string),
  run_id: nullable(t.string),
  in_flight: t.boolean,
  stale: t.boolean,
});
export type StatusAnswer = t.TypeOf<typeof StatusAnswer>;
