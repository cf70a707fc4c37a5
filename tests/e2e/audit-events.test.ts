import { expect } from 'chai';
import * as t from 'io-ts';
import { HistoryEvent, getHistory } from '../support/e2e/history.js';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { bodyOf } from '../support/http-client.js';

const AuditEvent = t.intersection([HistoryEvent, t.type({ stream: t.string })]);
type AuditEvent = t.TypeOf<typeof AuditEvent>;
const Page = t.type({ events: t.array(AuditEvent), next_cursor: t.union([t.string, t.null]) });

describe('the events of the audit', () => {
  const api = useTestApi();
  let media: Media;
  before(async () => {
    media = await createMedia(api());
    const mappings = [{ face_id: 1, speaker_id: 1, name: 'Ada' }];
    await expectOk(api().owner.put(media.match, { mappings }, { 'Idempotency-Key': 'hidden' }));
  });

  const page = async (query: string) => bodyOf(Page, await api().admin.get(`/v1/audit/events?${query}`));
  const all = async (query: string) => (await page(`limit=1000&${query}`)).events;
  const lines = async (query: string): Promise<ReadonlyArray<unknown>> => {
    const accept = { Accept: 'application/x-ndjson' };
    const { text, headers } = await expectOk(api().admin.get(`/v1/audit/events?${query}`, accept));
    expect(headers.get('Content-Type')).to.match(/^application\/x-ndjson/);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line));
  };

  it('are those of the histories, with their streams, in the order of the log', async () => {
    const stream = media.video.replace('/v2/videos/', 'video-');
    const history = await getHistory(api().admin, media.video);
    expect(await all(`stream=${stream}`)).to.deep.equal(history.map((event) => ({ ...event, stream })));
    const events = await all('');
    expect(events.map(({ position }) => position)).to.deep.equal(events.map(({ position }) => position).toSorted());
    expect(new Set(events.map(({ stream }) => stream.split('-')[0]))).to.include.keys('video', 'audio', 'account');
  });

  it('are selected by all parameters together', async () => {
    const matched = (await all('type=FacesMatched.v2'))[0];
    if (matched === undefined) throw new Error('no face was matched');
    const { stream, request_id, at } = matched;
    const to = new Date(Date.parse(at) + 1).toISOString();
    const query = `stream=${stream}&category=video&type=FacesMatched&actor=owner&request_id=${request_id}&from=${at}&to=${to}`;
    expect(await all(`${query}&hide=bookkeeping`)).to.deep.equal([matched]);
    const keys = (await all('')).filter(({ stream }) => stream.startsWith('idempotencyKey-'));
    expect(keys).not.to.deep.equal([]);
    expect(await lines('hide=bookkeeping')).not.to.deep.include(keys[0]);
  });

  it('come as pages and as one stream, also newest first and while more are written', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const events = await all('');
      const wanted = order === 'asc' ? events : events.toReversed();
      expect(await lines(`limit=1&order=${order}`)).to.deep.equal(wanted);
      const walked: AuditEvent[] = [];
      for (let [cursor, end] = ['', false]; !end;) {
        const { events: some, next_cursor } = await page(`order=${order}&limit=7${cursor}`);
        walked.push(...some);
        [cursor, end] = [`&cursor=${next_cursor}`, next_cursor === null];
        if (order === 'desc') await expectOk(api().owner.patch(media.video, { title: cursor }));
      }
      expect(walked).to.deep.equal(wanted);
    }
    const { next_cursor } = await page('order=asc&limit=3');
    expectCode(await api().admin.get(`/v1/audit/events?order=desc&limit=3&cursor=${next_cursor}`), 400, 'bad_query');
  });

  it('are still served after a client disconnects in the middle of a stream', async () => {
    for (let client = 0; client < 5; client += 1) {
      const leaving = new AbortController();
      const response = await fetch(`${api().world.url()}/v1/audit/events`, {
        headers: { 'X-API-Key': api().world.adminKey, Accept: 'application/x-ndjson' },
        signal: leaving.signal,
      });
      await response.body?.getReader().read();
      leaving.abort();
    }
    expect((await lines('')).length).to.equal((await all('')).length);
  });
});
