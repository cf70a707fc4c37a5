import * as t from 'io-ts';
import { type HttpClient, bodyOf } from '../http-client.js';
import type { TestApi } from './test-api.js';
import type { Media } from './media.js';

export const HistoryEvent = t.type({
  position: t.string,
  revision: t.number,
  event_id: t.string,
  type: t.string,
  version: t.number,
  at: t.string,
  actor: t.type({ key_id: t.string, account_id: t.string }),
  request_id: t.string,
  causation_id: t.string,
  data: t.UnknownRecord,
});
export type HistoryEvent = t.TypeOf<typeof HistoryEvent>;

const History = t.type({ events: t.array(HistoryEvent), next_cursor: t.union([t.string, t.null]) });

/** The whole history of the record at a path. */
export const getHistory = async (client: HttpClient, path: string): Promise<ReadonlyArray<HistoryEvent>> =>
  bodyOf(History, await client.get(`${path}/history`)).events;

/** The newest event of the record at a path. */
export const getLastEvent = async (client: HttpClient, path: string): Promise<HistoryEvent> => {
  const last = (await getHistory(client, path)).at(-1);
  if (last === undefined) throw new Error(`${path} has no history`);
  return last;
};

/** The complete visible state of media: records, revisions, histories, runs and late writes. */
export const getEverything = async ({ admin }: TestApi, { video, audio, runs }: Media): Promise<unknown> => {
  const [videoAnswer, audioAnswer, runsAnswer, lateAnswer, ...histories] = await Promise.all([
    admin.get(video),
    admin.get(audio),
    admin.get(runs),
    admin.get('/v1/audit/late-writes'),
    getHistory(admin, video),
    getHistory(admin, audio),
  ]);
  return {
    video: [videoAnswer.headers.get('ETag'), videoAnswer.body],
    audio: [audioAnswer.headers.get('ETag'), audioAnswer.body],
    runs: runsAnswer.body,
    late: lateAnswer.body,
    histories,
  };
};

const EventPage = t.type({ events: t.array(t.UnknownRecord), next_cursor: t.union([t.string, t.null]) });

/** All events of the log, as an administrator sees them. */
export const getAllEvents = async (admin: HttpClient): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const events: Array<Record<string, unknown>> = [];
  for (let cursor: string | null = null; ;) {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = bodyOf(EventPage, await admin.get(`/v1/audit/events?limit=1000${more}`));
    events.push(...page.events);
    if (page.next_cursor === null) return events;
    cursor = page.next_cursor;
  }
};
