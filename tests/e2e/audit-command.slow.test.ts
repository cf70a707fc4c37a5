import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { makeSealedFile, tampered } from '../support/audit/tampered-log.js';
import { spawnCommand, runCommand } from '../support/e2e/command.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { getLateWrites, matched, runSuggest, writeBack } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { eventStoreOf, testEngine } from '../support/engine.js';
import { bodyOf } from '../support/http-client.js';

const Line = t.UnknownRecord;
const Explained = t.type({ cause: t.string });
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'media-analysis-'));

describe('media-analysis audit', function () {
  this.timeout(60_000);
  const api = useTestApi();
  const folder = newFolder();
  let media: Media;
  before(async () => {
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

  it('lists what GET /v1/audit/events lists, and follows new events', async () => {
    await expectOk(api().owner.patch(media.video, { title: 'Keyed' }, { 'Idempotency-Key': 'hidden' }));
    const Events = t.type({ events: t.array(Line) });
    const eventsOf = async (query: string) =>
      bodyOf(Events, await api().admin.get(`/v1/audit/events?limit=1000${query}`)).events;
    expect(await lines(Line, 'log')).to.deep.equal(await eventsOf(''));
    const selected = await eventsOf(`&stream=${video()}&hide=bookkeeping`);
    expect(await lines(Line, 'log', '--stream', video(), '--hide-bookkeeping')).to.deep.equal(selected);
    expect((await audit('log', '--type', 'FacesMatched')).out).to.match(/FacesMatched video-/);
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
    const speaker = await lines(Explained, 'explain', 'speaker', media.audioId, '1');
    expect(speaker.at(-1)?.cause).to.equal('a person renamed the speaker');
    const { out } = await audit('explain', 'face', media.videoId, '1');
    expect(out.trimEnd().split('\n').at(-1)).to.match(
      /^face 1: name is "Grace" since \S+, because the matched speaker was renamed .*; speaker is 1 since \S+, because a person matched/,
    );
  });

  it('makes a statement, and a replay to a position as printed or to a time', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const [statement] = await lines(Line, 'statement', 'owner', '--month', month);
    expect(statement).to.include({ opening_balance: '0', closing_balance: '10' });
    expect((await audit('statement', 'owner', '--month', month)).out).to.match(
      /\ntime +kind +amount +balance +reason\n\S+Z  grant  10      10       =1\+1\n {4}request \S+\n/,
    );
    const [replayed] = await lines(t.type({ videos: t.array(Line) }), 'replay', '--table', 'videos');
    expect(replayed?.videos).to.have.length(1);
    const first = (await audit('log')).out.split(' ')[0] ?? '';
    expect(first).to.match(/^#[1-9]\d*$/);
    for (const to of [first, first.slice(1).padStart(16, '0')])
      expect((await audit('replay', '--to', to)).out).to.match(/^After 1 event,.*\n(?:.*\n)*  videos +0 rows/);
    for (const to of ['2001-02-03', '2001-02-03T04:05+01:00', '2001-02-03 04:05:06.789-01:00'])
      expect((await audit('replay', '--to', to)).out, to).to.match(/^After 0 events \(/);
    for (const [to, message] of [
      ['2026', 'Write #2026 for the position; for a time, it must be written with its offset'],
      ['#9007199254740000', 'the position #9007199254740000 is beyond the end of the log, which is #'],
      ['2026-11-25T09:36', 'It must be a position, as in #123, or a time'],
    ] as const)
      expect((await audit('replay', '--to', to)).err, to).to.include(message);
  });

  it('exports events, with spreadsheet formulas escaped, and marts, of the whole log and of a part of it', async () => {
    const count = (await lines(Line, 'log')).length;
    const beginsOf = (...path: ReadonlyArray<string>) =>
      readFileSync(join(folder, ...path))
        .subarray(0, 4)
        .toString();
    for (const format of ['ndjson', 'csv', 'parquet'] as const) {
      const [report] = await lines(Line, 'export', '--format', format, '--out', join(folder, `log.${format}`));
      expect(report).to.include({ events: count });
    }
    const exists = `error: ${join(folder, 'log.csv')} exists already: choose another name, or add --force to replace it\n`;
    expect(await audit('export', '--out', join(folder, 'log.csv'))).to.include({ code: 1, err: exists });
    expect(readFileSync(join(folder, 'log.ndjson'), 'utf8').trimEnd().split('\n')).to.have.length(count);
    expect(readFileSync(join(folder, 'log.csv'), 'utf8')).not.to.match(/(^|,)=/m);
    expect(beginsOf('log.parquet')).to.equal('PAR1');
    const Report = t.type({ files: t.array(t.string) });
    const [report] = await lines(Report, 'export', '--marts', '--out', join(folder, 'marts'));
    for (const file of report?.files ?? []) expect(beginsOf('marts', file), file).to.equal('PAR1');
    // With gaps between positions, the third event is not at 3.
    const third = (await lines(t.type({ position: t.string }), 'log'))[2]?.position ?? '';
    const part = await audit('replay', '--marts', '--to', third, '--out', join(folder, 'part'));
    expect(part.out).to.match(/^3 events were replayed \(/);
  });

  it('lists write-backs that came late, with what they changed and who sent them', async () => {
    const late = await createMedia(api());
    await expectOk(writeBack(api(), late, { matches: [matched(1, 1)] }));
    const run_id = await runSuggest(api(), late, matched(2, 2));
    await expectOk(writeBack(api(), late, { run_id, matches: [] }));
    const { out } = await audit('late-writes', '--video', late.videoId);
    expect(out)
      .to.match(/^\S+Z committed\n {4}video \S+, run \S+, unattributed\n {4}by worker \(key \S+\), request \S+\n/)
      .and.include('    ~ face 1.speaker_id: null → 1\n')
      .and.match(/\n\S+Z ignored \(run_ended\)\n {4}video \S+, run \S+\n/);
    expect(await lines(Line, 'late-writes')).to.deep.equal((await getLateWrites(api(), late)).toReversed());
  });

  it('seals and verifies, also a copy, and reports a missing seal', async () => {
    const [sealed] = await lines(t.type({ seal: t.string }), 'seal');
    const seal = sealed?.seal ?? '';
    expect((await audit('verify', '--seal', seal)).out).to.match(/Nothing is wrong/);
    const other = await audit('verify', '--seal', `${seal.slice(0, -1)}${seal.endsWith('0') ? '1' : '0'}`);
    expect(other.code).to.equal(1);
    expect(other.out).to.match(/seal_missing/);
    // The EventStoreDB server continues to write its file.
    if (testEngine === 'esdb') return;
    await api().world.restart(async () =>
      copyFileSync(join(api().world.dataDir, 'events.db'), join(folder, 'copy.db')),
    );
    expect((await audit('verify', '--file', join(folder, 'copy.db'), '--seal', seal)).code).to.equal(0);
  });

  it('counts, when it verifies, what there is, and names the events that were removed', async () => {
    const log = await makeSealedFile(folder);
    /** With the seal and the three events after it. */
    const events = log.sealed + 4;
    const copy = join(folder, 'changed.db');
    tampered(log.file, copy, (db) => void db.exec('DELETE FROM events WHERE position IN (12, 13, 14, 40, 60)'));
    const { code, out } = await runCommand(['audit', 'verify', '--file', copy]);
    expect(code).to.equal(1);
    expect(out)
      .to.match(new RegExp(`changed\\.db: ${events - 5} events in \\d+ streams, 1 seal\n`))
      .and.match(/broken_storage position #15, \S+@\d+: the events at positions #12 to #14 are missing\n/)
      .and.include(`${log.sealed} events were sealed, up to position #${log.sealed}; the log holds ${events - 5}`);
  });

  it('exits with 2 on a usage error, and with 1 if it cannot read the log', async () => {
    for (const [exit, ...args] of [
      [2, 'nothing'],
      [2, 'statement', 'owner', '--month', '2026-13'],
      [2, 'replay', '--marts', '--table', 'videos', '--out', join(folder, 'no-marts')],
      [1, 'log', '--file', join(folder, 'none.db')],
      [1, 'export', '--out', join(folder, 'none', 'log.csv')],
    ] as const) {
      const { code, err } = await audit(...args);
      expect(code, args.join(' ')).to.equal(exit);
      expect(err)
        .to.match(/^error: /)
        .and.not.match(/ENOENT/);
    }
  });
});

describe('media-analysis audit of copies and of erased media', function () {
  this.timeout(120_000);
  const api = useTestApi();
  let folder: string;
  let kept: Media;
  let erased: Media;
  const withoutKeys = () => join(folder, 'events.db');
  const ofCopy = (...args: ReadonlyArray<string>) => runCommand(['audit', ...args, '--file', withoutKeys()]);
  const ofLog = (...args: ReadonlyArray<string>) => runCommand(['audit', ...args], { DATA_DIR: api().world.dataDir });

  before(async function () {
    // The file of a server's log is its own.
    if (testEngine === 'esdb') return this.skip();
    folder = newFolder();
    kept = await createMedia(api());
    erased = await createMedia(api());
    await expectOk(api().owner.put(kept.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Ada' }] }));
    await expectOk(api().owner.delete(erased.video));
    await api().world.restart(async () => copyFileSync(join(api().world.dataDir, 'events.db'), withoutKeys()));
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true }));

  it('says why a face is not explained, and why the content of an event is not shown', async () => {
    const explain = ['explain', 'face'];
    expect((await ofLog(...explain, erased.videoId, '1')).err).to.match(
      /^error: video \S+ was erased at \d{4}-\S+Z\n$/,
    );
    expect((await ofCopy(...explain, kept.videoId, '1', '--without-keys')).err).to.match(
      /^error: the key of video \S+ is missing: put keys.db and keys.secret next to the log/,
    );
    expect((await ofLog(...explain, kept.videoId, '99')).err).to.equal(
      `error: video ${kept.videoId} never had a face 99\n`,
    );
    for (const command of [['log', '--stream'], ['show']]) {
      const { out } = await ofLog(...command, `video-${erased.videoId}`);
      expect(out)
        .to.match(/VideoAnalysisRecorded.*\n.*\n {4}erased\n/)
        .and.not.match(/^ *null$|Withheld/m);
      const ofKept = [...command, `video-${kept.videoId}`];
      expect((await ofCopy(...ofKept)).out).to.match(/ {4}cannot be read: its key is missing\n/);
      expect((await ofCopy(...ofKept, '--json')).out).to.match(
        /"type":"VideoAnalysisRecorded".*"data":null,"key_missing":true/,
      );
    }
  });

  it('says nothing about what did not happen where keys are missing, unless --without-keys asks for the rest', async () => {
    const marts = join(folder, 'marts');
    for (const command of [
      ['late-writes', '--json'],
      ['replay', '--marts', '--out', marts],
      ['explain', 'face', kept.videoId, '1'],
    ]) {
      const { code, out, err } = await ofCopy(...command);
      expect([code, out], command.join(' ')).to.deep.equal([1, '']);
      expect(err).to.match(
        /^error: \d+ events? cannot be read: the keys are missing\. Either put keys\.db and .*; or add --without-keys/,
      );
    }
    expect(existsSync(join(marts, 'videos.parquet'))).to.equal(false);
    expect((await ofLog('late-writes')).out).to.equal('No write-back came late.\n');
    expect((await ofCopy('late-writes', '--without-keys')).out).to.match(
      /^\d+ events cannot be read: the keys are missing\. What follows lacks what they say\.\n/,
    );
    const partial = await ofCopy('export', '--marts', '--out', marts, '--json', '--without-keys');
    expect(partial.err).to.match(/^warning: \d+ events cannot be read: the keys are missing, and the result lacks/);
    expect(partial.out).to.match(/"unreadable":[1-9]/);
  });

  it('says in CSV why there are no data', async () => {
    const out = join(folder, 'withheld.csv');
    await ofCopy('export', '--format', 'csv', '--out', out, '--type', 'FacesMatched');
    const [names, event] = readFileSync(out, 'utf8').split('\n');
    expect([names, event].map((line) => line?.split(',').at(-1))).to.deep.equal(['withheld', 'key_missing']);
  });
});
