import { expect } from 'chai';
import * as t from 'io-ts';
import { versionOf } from '../../domain/event-catalogue.js';
import { HistoryEvent, getHistory } from '../support/e2e/history.js';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { matched, runSuggest, triggerCommit, writeBack } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { bodyOf } from '../support/http-client.js';

describe('the history of a record', () => {
  const api = useTestApi();
  let media: Media;
  before(async () => {
    media = await createMedia(api());
    const traits = { personality_traits: { calm: 1 } };
    const steps: ReadonlyArray<() => Promise<unknown>> = [
      () => runSuggest(api(), media, matched(1, 1)),
      () => api().owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 3, name: 'Mary' }] }),
      () => expectOk(api().worker.put(`${media.video}/faces/2/personality-traits`, traits)),
      async () => writeBack(api(), media, { run_id: await triggerCommit(api(), media), matches: [matched(3, 3)] }),
      () => api().owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id: 3, name: 'M. J.' }]),
    ];
    for (const step of steps) await step();
  });

  it('contains its events in order, each complete, with the event of the other record that caused it', async () => {
    for (const path of [media.video, media.audio]) {
      const events = await getHistory(api().owner, path);
      expect(events.map(({ revision }) => revision)).to.deep.equal(events.map((_, index) => index));
      expect(events.map(({ position }) => position)).to.deep.equal(events.map(({ position }) => position).toSorted());
      expect(new Set(events.map(({ event_id }) => event_id)).size).to.equal(events.length);
      for (const event of events) {
        expect(event).to.have.all.keys(...Object.keys(HistoryEvent.props));
        expect(event.version).to.equal(versionOf(event.type));
        expect(event.actor.account_id).to.be.oneOf(['owner', 'worker']);
      }
    }
    const renamed = (await getHistory(api().owner, media.audio)).at(-1);
    const followed = (await getHistory(api().owner, media.video)).at(-1);
    expect(followed).to.include({ type: 'FacesRenamed', causation_id: renamed?.event_id });
    expect(followed?.request_id).to.equal(renamed?.request_id);
  });

  it('gives the record at a revision and at a time', async () => {
    const { body, headers } = await expectOk(api().owner.get(media.video));
    const last = headers.get('ETag')?.replaceAll('"', '');
    for (const at of [last, '9998-12-31', '9998-12-31T23:59:59.123456%2B02:00', '9998-12-31T00:00:00-10:30']) {
      const read = await expectOk(api().owner.get(`${media.video}?at=${at}`));
      expect([read.body, read.headers.get('ETag')]).to.deep.equal([body, headers.get('ETag')]);
    }
    const audio = await expectOk(api().owner.get(`${media.audio}?at=0`));
    expect(audio.headers.get('ETag')).to.equal('"0"');
    expect(audio.body).to.deep.include({ speakers: [], status: 'queue' });
  });
});

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
    const streams = new Set((await all('hide=bookkeeping')).map((event) => event.stream.split('-')[0]));
    expect(streams).to.include('video').and.not.include('idempotencyKey');
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
});
