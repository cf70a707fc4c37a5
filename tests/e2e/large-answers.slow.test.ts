import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { expectOk } from '../support/e2e/media.js';
import { takesLargeEvents } from '../support/engine.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../support/service-process.js';
import { shortOrLong } from '../support/long-form.js';

const largestPage = 8_000_000;
/**
 * A change of tags contains the earlier and later ones, with encryption 1,300 bytes for each, and an analysis what is known
 * of each face: less of both where an event may have no more than 1 MiB.
 */
const [changedTags, summaryLength] = takesLargeEvents ? [1_000, 1_700] : [750, 200];
const faces = 2_000;
/** Changes with 430 kB of tags each, or more and smaller ones: enough for more than one page. */
const [turns, others] = [Math.ceil((shortOrLong(21, 30) * 1_000) / changedTags), shortOrLong(20, 24)];
describe('large answers', function () {
  this.timeout(120_000);
  let folder = '';
  let service: ServiceProcess;
  let admin: HttpClient;

  const tags = (turn: number, number: number) =>
    Array.from({ length: number }, (_, n) => ({ key: `vpm.k${n}`, value: `${turn}`.padEnd(430, 'x') }));
  const tagged = async (video: string, turns: number, number: number): Promise<void> => {
    await expectOk(admin.post('/v2/videos', { video_id: video, title: video }));
    for (let turn = 0; turn < turns; turn += 1)
      await expectOk(
        admin.post(`/v2/videos/${video}/provider-tags`, { source: 'importer.crm', tags: tags(turn, number) }),
      );
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-large-'));
    service = await startServiceProcess(folder);
    admin = httpClient(service.url, adminKey);
    await tagged('written-often', turns, changedTags);
    for (let n = 0; n < others; n += 1) await tagged(`tagged-${n}`, 1, 1_000);
    await expectOk(admin.post('/v2/videos', { video_id: 'crowd' }));
    const seen = Array.from({ length: faces }, (_, id) => ({
      id,
      tracks: [{ start: id, end: id + 1 }],
      personality_traits: { summary: 'x'.repeat(summaryLength), openness: 0.5, notes: ['a', 'b', 'c'] },
    }));
    await expectOk(admin.put('/v2/videos/crowd/analysis', { status: 'completed', faces: seen }));
    await service.stop();
    service = await startServiceProcess(folder);
    admin = httpClient(service.url, adminKey);
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const read = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, { headers: { 'X-API-Key': adminKey } });
    const text = await response.text();
    expect(response.status, `${path}: ${text.slice(0, 200)}`).to.equal(200);
    const body: unknown = JSON.parse(text);
    return { text, body };
  };

  /** All pages of a list, each within the size limit unless it has only one item. */
  const walked = async <Item>(path: string, name: string, items: t.Type<Item>): Promise<ReadonlyArray<Item>> => {
    const Page = t.intersection([t.UnknownRecord, t.type({ next_cursor: t.union([t.string, t.null]) })]);
    const all: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next = cursor === '' ? '' : `&cursor=${cursor}`;
      const { text, body } = await read(`${path}?limit=1000${next}`);
      const list: unknown = Page.is(body) ? body[name] : null;
      if (!Page.is(body) || !t.array(items).is(list)) throw new Error(`no page: ${text.slice(0, 200)}`);
      expect(list.length).to.be.greaterThan(0);
      if (list.length > 1) expect(text.length).to.be.below(largestPage + 1_000);
      all.push(...list);
      ({ next_cursor: cursor } = body);
    }
    return all;
  };

  it('come in pages of at most 8 MB, complete and in order: a history, the events of the audit, and videos', async () => {
    const events = await walked('/v2/videos/written-often/history', 'events', t.type({ revision: t.number }));
    expect(events.map(({ revision }) => revision)).to.deep.equal(Array.from({ length: turns + 1 }, (_, n) => n));
    const all = await walked('/v1/audit/events', 'events', t.type({ position: t.string, stream: t.string }));
    const positions = all.map(({ position }) => position);
    expect(positions).to.deep.equal([...new Set(positions)].sort());
    expect(all.filter(({ stream }) => stream === 'video-written-often')).to.have.lengthOf(turns + 1);
    const videos = await walked('/v2/videos', 'videos', t.type({ video_id: t.string }));
    const tagged = Array.from({ length: others }, (_, n) => `tagged-${others - 1 - n}`);
    expect(videos.map(({ video_id }) => video_id)).to.deep.equal(['crowd', ...tagged, 'written-often']);
  });

  it('an earlier record is sent completely, in pieces, as the current one', async () => {
    const { body } = await read('/v2/videos/crowd');
    expect(body).to.have.property('faces').with.lengthOf(faces);
    expect((await read('/v2/videos/crowd?at=1')).body).to.deep.equal(body);
  });
});
