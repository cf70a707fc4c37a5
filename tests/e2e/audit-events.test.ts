import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { HistoryEvent, getHistory } from '../support/e2e/history.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { bodyOf } from '../support/http-client.js';

const AuditEvent = t.intersection([HistoryEvent, t.type({ stream: t.string })]);
type AuditEvent = t.TypeOf<typeof AuditEvent>;
const Page = t.type({ events: t.array(AuditEvent), next_cursor: t.union([t.string, t.null]) });

describe('the events of the audit', () => {
  const api = useTestApi();
  let media: Media;
  before(async () => {
    media = await createMedia(api());
    await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Ada' }] }));
  });

  const page = async (query: string) => bodyOf(Page, await api().admin.get(`/v1/audit/events?${query}`));
  const all = async (query: string) => (await page(`limit=1000&${query}`)).events;
  const lines = async (query: string): Promise<ReadonlyArray<AuditEvent>> => {
    const { status, text, headers } = await api().admin.get(`/v1/audit/events?${query}`, {
      Accept: 'application/x-ndjson',
    });
    expect(status, text).to.equal(200);
    expect(headers.get('Content-Type')).to.match(/^application\/x-ndjson/);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => bodyOf(AuditEvent, { status, headers, text: line, body: JSON.parse(line) }));
  };

  it('are those of the histories, with their streams, in the order of the log', async () => {
    const stream = media.video.replace('/v2/videos/', 'video-');
    const history = await getHistory(api().admin, media.video);
    expect(await all(`stream=${stream}`)).to.deep.equal(history.map((event) => ({ ...event, stream })));
    const events = await all('');
    expect(events.map(({ position }) => position)).to.deep.equal(events.map(({ position }) => position).toSorted());
    expect(new Set(events.map(({ stream }) => stream.split('-')[0]))).to.include.keys('video', 'audio', 'account');
  });

  it('are selected by each parameter and by all together', async () => {
    const events = await all('');
    const matched = events.find(({ type }) => type === 'FacesMatched');
    if (matched === undefined) throw new Error('no face was matched');
    const { stream, actor, request_id, at } = matched;
    const later = new Date(Date.parse(at) + 1).toISOString();
    const only = (test: (event: AuditEvent) => boolean) => events.filter(test);
    expect(await all('category=video')).to.deep.equal(only((event) => event.stream.startsWith('video-')));
    for (const type of ['FacesMatched', 'FacesMatched.v2'])
      expect(await all(`type=${type}`)).to.deep.equal(only((event) => event.type === 'FacesMatched'));
    expect(await all('type=FacesMatched.v1')).to.deep.equal([]);
    for (const by of [actor.key_id, actor.account_id])
      expect(await all(`actor=${by}`)).to.deep.equal(only((event) => Object.values(event.actor).includes(by)));
    expect(await all(`request_id=${request_id}`)).to.deep.equal(only((event) => event.request_id === request_id));
    expect(await all(`from=${at}`)).to.deep.equal(only((event) => event.at >= at));
    expect(await all(`to=${at}`)).to.deep.equal(only((event) => event.at < at));
    expect(
      await all(
        `stream=${stream}&category=video&type=FacesMatched&actor=owner&request_id=${request_id}&from=${at}&to=${later}`,
      ),
    ).to.deep.equal([matched]);
  });

  it('come in pages without omissions or repetitions, or as one stream', async () => {
    const events = await all('');
    for (const limit of [1, 7]) {
      const walked: AuditEvent[] = [];
      for (let cursor = '', end = false; !end;) {
        const { events: some, next_cursor } = await page(`limit=${limit}${cursor}`);
        walked.push(...some);
        cursor = `&cursor=${next_cursor}`;
        end = next_cursor === null;
      }
      expect(walked).to.deep.equal(events);
    }
    expect(await lines('limit=1')).to.deep.equal(events);
    expect(await lines('category=audio')).to.deep.equal(await all('category=audio'));
  });

  it('come newest first with order=desc, as pages and as a stream, while more are written', async () => {
    const events = (await all('')).toReversed();
    const walked: AuditEvent[] = [];
    for (let cursor = '', end = false; !end;) {
      const { events: some, next_cursor } = await page(`order=desc&limit=7${cursor}`);
      walked.push(...some);
      cursor = `&cursor=${next_cursor}`;
      end = next_cursor === null;
      await expectOk(api().owner.patch(media.video, { title: cursor }));
    }
    expect(walked).to.deep.equal(events);
    expect((await lines('order=desc')).slice(-events.length)).to.deep.equal(events);
    const ofVideo = await lines('order=desc&category=video&type=FacesMatched');
    expect(ofVideo).to.deep.equal((await all('type=FacesMatched')).toReversed());
    const asc = await page('order=asc&limit=3');
    expect(asc).to.deep.equal(await page('order=asc&limit=3'));
    const mixed = await api().admin.get(`/v1/audit/events?order=desc&limit=3&cursor=${asc.next_cursor}`);
    expectCode(mixed, 400, 'bad_query');
  });

  it('leave out those of idempotency keys with hide=bookkeeping', async () => {
    await expectOk(api().owner.patch(media.video, { title: 'Key' }, { 'Idempotency-Key': 'hidden' }));
    const events = await all('');
    const shown = events.filter(({ stream }) => !stream.startsWith('idempotencyKey-'));
    expect(shown.length).to.be.lessThan(events.length);
    expect(await all('hide=bookkeeping')).to.deep.equal(shown);
    expect(await lines('hide=bookkeeping&order=desc')).to.deep.equal(shown.toReversed());
    const ofOwner = shown.filter(({ actor }) => actor.account_id === 'owner');
    expect(await all('hide=bookkeeping&actor=owner')).to.deep.equal(ofOwner);
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
