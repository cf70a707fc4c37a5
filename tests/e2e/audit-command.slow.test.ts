import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { eventStoreOf, testEngine } from '../support/engine.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { spawnCommand, runCommand } from '../support/e2e/command.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { bodyOf } from '../support/http-client.js';

const Line = t.UnknownRecord;
const Explained = t.type({ cause: t.string });

describe('media-analysis audit', function () {
  this.timeout(60_000);
  const api = useTestApi();
  let media: Media;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'media-analysis-'));
    media = await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Ada' }] }));
    await expectOk(api().owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id: 1, name: 'Grace' }]));
    await expectOk(api().admin.post('/v1/accounts/owner/credits', { amount: 10, reason: '=1+1' }));
  });
  after(() => rmSync(folder, { recursive: true }));

  const whereTheLogIs = async () => {
    const { dataDir } = api().world;
    return { DATA_DIR: dataDir, EVENT_STORE: await eventStoreOf(dataDir) };
  };

  /** Runs the command on the log of the running service. */
  const audit = async (...args: ReadonlyArray<string>) => runCommand(['audit', ...args], await whereTheLogIs());
  const lines = async <Json>(codec: t.Type<Json, unknown>, ...args: ReadonlyArray<string>) => {
    const { code, out, err } = await audit(...args, '--json');
    expect(code, err).to.equal(0);
    return out
      .trimEnd()
      .split('\n')
      .map((line) => bodyOf(codec, { status: 200, headers: new Headers(), text: line, body: JSON.parse(line) }));
  };
  const video = () => `video-${media.videoId}`;

  it('lists what GET /v1/audit/events lists', async () => {
    await expectOk(api().owner.patch(media.video, { title: 'Keyed' }, { 'Idempotency-Key': 'hidden' }));
    const Events = t.type({ events: t.array(Line) });
    const eventsOf = async (query: string) =>
      bodyOf(Events, await api().admin.get(`/v1/audit/events?limit=1000${query}`)).events;
    expect(await lines(Line, 'log')).to.deep.equal(await eventsOf(''));
    expect(await lines(Line, 'log', '--stream', video())).to.deep.equal(await eventsOf(`&stream=${video()}`));
    expect(await lines(Line, 'log', '--hide-bookkeeping')).to.deep.equal(await eventsOf('&hide=bookkeeping'));
    expect((await audit('log', '--type', 'FacesMatched')).out).to.match(/FacesMatched video-/);
  });

  it('follows new events', async () => {
    const following = spawnCommand(['audit', 'log', '--follow', '--type', 'AccountOpened'], await whereTheLogIs());
    await following.prints(/account-owner/);
    await expectOk(api().admin.post('/v1/accounts', { account_id: 'newcomer' }));
    await following.prints(/account-newcomer/);
    following.signal('SIGTERM');
    expect((await following.ended).code).to.equal(0);
  });

  it('shows each event with the state after it, and explains a face and a speaker', async () => {
    const shown = await lines(t.type({ state: t.unknown }), 'show', video());
    expect(shown.at(-1)?.state).to.deep.equal((await expectOk(api().owner.get(media.video))).body);
    expect((await audit('show', video())).out).to.match(/~ faces\[\d\]\.name: "Ada" → "Grace"/);
    const causes = (await lines(Explained, 'explain', 'face', media.videoId, '1')).map(({ cause }) => cause);
    expect(causes.slice(0, 2)).to.deep.equal([
      'an analysis was written back',
      'a person matched faces to speakers by hand',
    ]);
    expect(causes[2]).to.match(/^the matched speaker was renamed/);
    const speaker = await lines(Explained, 'explain', 'speaker', media.audioId, '1');
    expect(speaker.at(-1)?.cause).to.equal('a person renamed the speaker');
    const { out } = await audit('explain', 'face', media.videoId, '1');
    expect(out.trimEnd().split('\n').at(-1)).to.match(
      /^face 1: name is "Grace" since \S+, because the matched speaker was renamed .*; speaker is 1 since \S+, because a person matched/,
    );
  });

  it('makes a statement, a replay and a list of late writes', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const [statement] = await lines(Line, 'statement', 'owner', '--month', month);
    expect(statement).to.include({ opening_balance: '0', closing_balance: '10' });
    expect((await audit('statement', 'owner', '--month', month)).out).to.match(
      /\ntime +kind +amount +balance +reason\n\S+Z  grant  10      10       =1\+1\n {4}request \S+\n/,
    );
    const [replayed] = await lines(t.type({ videos: t.array(Line) }), 'replay', '--table', 'videos');
    expect(replayed?.videos).to.have.length(1);
    const [first] = await lines(t.type({ position: t.string }), 'log');
    // Positions of some servers exceed the safe integers of JavaScript.
    for (const to of [first?.position ?? '', String(BigInt(first?.position ?? ''))])
      expect((await audit('replay', '--to', to)).out).to.match(/^After 1 event,.*\n(?:.*\n)*  videos +0 rows/);
    expect((await audit('replay', '--to', '2001-01-01')).out).to.match(/^After 0 events \(/);
    expect((await audit('late-writes', '--video', media.videoId, '--from', '2001-01-01')).out).to.equal(
      'No write-back came late.\n',
    );
  });

  it('exports events, with spreadsheet formulas escaped, and marts, of the whole log and of a part of it', async () => {
    const count = (await lines(Line, 'log')).length;
    const beginsOf = (...path: ReadonlyArray<string>) =>
      readFileSync(join(folder, ...path))
        .subarray(0, 4)
        .toString();
    for (const format of ['ndjson', 'csv', 'parquet'] as const) {
      const out = join(folder, `log.${format}`);
      const [report] = await lines(Line, 'export', '--format', format, '--out', out);
      expect(report).to.include({ events: count });
      const { code, err } = await audit('export', '--format', format, '--out', out);
      const exists = `error: ${out} exists already: choose another name, or add --force to replace it\n`;
      expect([code, err]).to.deep.equal([1, exists]);
    }
    expect(readFileSync(join(folder, 'log.ndjson'), 'utf8').trimEnd().split('\n')).to.have.length(count);
    expect(readFileSync(join(folder, 'log.csv'), 'utf8')).not.to.match(/(^|,)=/m);
    expect(beginsOf('log.parquet')).to.equal('PAR1');
    expect((await audit('export', '--out', join(folder, 'log.csv'), '--force')).code).to.equal(0);
    const Report = t.type({ files: t.array(t.string) });
    const [report] = await lines(Report, 'export', '--marts', '--out', join(folder, 'marts'));
    for (const file of report?.files ?? []) expect(beginsOf('marts', file), file).to.equal('PAR1');
    // With gaps between positions, the third event is not at 3.
    const third = (await lines(t.type({ position: t.string }), 'log'))[2]?.position ?? '';
    const part = await audit('replay', '--marts', '--to', third, '--out', join(folder, 'part'));
    expect(part.out).to.match(/^3 events were replayed \(/);
  });

  it('seals and verifies, also a copy, and reports a missing seal', async () => {
    expect((await audit('verify')).code).to.equal(0);
    const [sealed] = await lines(t.type({ seal: t.string }), 'seal');
    const seal = sealed?.seal ?? '';
    expect((await audit('verify', '--seal', seal)).out).to.match(/Nothing is wrong/);
    const other = await audit('verify', '--seal', `${seal.slice(0, -1)}${seal.endsWith('0') ? '1' : '0'}`);
    expect([other.code, other.out]).to.deep.equal([1, other.out]);
    expect(other.out).to.match(/seal_missing/);
    // The EventStoreDB server continues to write its file.
    if (testEngine === 'esdb') return;
    await api().world.restart(async () =>
      copyFileSync(join(api().world.dataDir, 'events.db'), join(folder, 'copy.db')),
    );
    expect((await audit('verify', '--file', join(folder, 'copy.db'), '--seal', seal)).code).to.equal(0);
  });

  it('reports an EventStoreDB that cannot be reached, once', async () => {
    const nowhere = ['--event-store', 'esdb://127.0.0.1:1?tls=false&defaultDeadline=500'];
    const { code, out, err } = await runCommand(['audit', 'verify', ...nowhere], { DATA_DIR: folder });
    expect([code, out]).to.deep.equal([1, '']);
    expect(err).to.match(/^error: the event store cannot be reached at 127\.0\.0\.1:1: .*\n$/);
  });

  it('exits with 2 on a usage error, and with 1 if it cannot read the log', async () => {
    for (const args of [
      ['nothing'],
      ['log', '--from', 'x'],
      ['statement', 'owner', '--month', '2026-13'],
      ['replay', '--to', 'x'],
      ['replay', '--table', 'none'],
      ['export', '--marts'],
      ['export', '--marts', '--type', 'FacesMatched', '--out', folder],
      ['log', '--event-store', 'x'],
      ['export'],
      ['export', '--marts', '--format', 'csv', '--out', join(folder, 'no-marts')],
      ['replay', '--out', join(folder, 'no-marts')],
      ['replay', '--force'],
      ['replay', '--marts', '--table', 'videos', '--out', join(folder, 'no-marts')],
    ])
      expect((await audit(...args)).code, args.join(' ')).to.equal(2);
    for (const args of [
      ['log', '--file', join(folder, 'none.db')],
      ['show', 'video-none'],
      ['statement', 'nobody', '--month', '2026-01'],
      ['export', '--out', join(folder, 'none', 'log.csv')],
      ['verify', '--seal', join(folder, 'none.json')],
    ]) {
      const { code, err } = await audit(...args);
      expect(code, args.join(' ')).to.equal(1);
      expect(err).to.match(/^error: /);
      expect(err).not.to.match(/ENOENT/);
    }
  });
});
