import * as t from 'io-ts';
import { type HttpAnswer, bodyOf } from '../http-client.js';
import { LateWriteView, MatchRunView } from '../../../projections/views.js';
import type { Callers } from './test-api.js';
import { type Media, expectOk } from './media.js';

const nullable = <C extends t.Mixed>(codec: C) => t.union([codec, t.null]);

/** The answer of GET statuses?speaker_face_match_status=true. */
const StatusAnswer = t.type({
  speaker_face_match_status: nullable(t.string),
  queued_at: nullable(t.string),
  mode: nullable(t.string),
  run_id: nullable(t.string),
  in_flight: t.boolean,
  stale: t.boolean,
});
type StatusAnswer = t.TypeOf<typeof StatusAnswer>;

const Triggered = t.type({ run_id: t.string });

const triggered = async (answer: Promise<HttpAnswer>): Promise<string> => bodyOf(Triggered, await answer).run_id;

/** Triggers a suggest run; answers its id. */
export const triggerSuggest = ({ owner }: Callers, { suggestions }: Media, body: object = {}): Promise<string> =>
  triggered(owner.post(suggestions, body));

/** Triggers a commit run; answers its id. */
export const triggerCommit = ({ owner }: Callers, { match }: Media, body: object = {}): Promise<string> =>
  triggered(owner.post(match, body));

/** A worker's answer. */
export const writeBack = ({ worker }: Callers, media: Media, body: object): Promise<HttpAnswer> =>
  worker.put(media.writeBack, body);

export const matched = (face_id: number, speaker_id: number, accuracy = 0.75) => ({ face_id, speaker_id, accuracy });

/** A suggest run with a stored block of these matches; answers the run's id. */
export const runSuggest = async (
  api: Callers,
  media: Media,
  ...matches: ReadonlyArray<ReturnType<typeof matched>>
): Promise<string> => {
  const run_id = await triggerSuggest(api, media);
  await expectOk(writeBack(api, media, { run_id, matches }));
  return run_id;
};

export const getStatus = async ({ owner }: Callers, { statuses }: Media): Promise<StatusAnswer> =>
  bodyOf(StatusAnswer, await owner.get(statuses));

const Run = t.intersection([MatchRunView, t.type({ state: t.string })]);
export type Run = t.TypeOf<typeof Run>;

/** The match runs of a video, in the order in which they were queued. */
export const getRuns = async ({ owner }: Callers, { runs }: Media): Promise<ReadonlyArray<Run>> =>
  bodyOf(t.type({ match_runs: t.array(Run) }), await owner.get(runs)).match_runs;

export const getRun = async (api: Callers, media: Media, run_id: string): Promise<Run> => {
  const run = (await getRuns(api, media)).find((one) => one.run_id === run_id);
  if (run === undefined) throw new Error(`no run ${run_id}`);
  return run;
};

/** The late writes that the audit lists for a video, newest first. */
export const getLateWrites = async ({ admin }: Callers, { videoId }: Media): Promise<ReadonlyArray<LateWriteView>> =>
  bodyOf(t.type({ late_writes: t.array(LateWriteView) }), await admin.get('/v1/audit/late-writes')).late_writes.filter(
    ({ video_id }) => video_id === videoId,
  );

/** Waits until a run of a world with a stale window of one second is stale. */
export const waitUntilStale = (): Promise<void> => new Promise((resume) => setTimeout(resume, 1_050));
