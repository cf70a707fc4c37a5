import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { testEngine } from '../support/engine.js';
import { runCommand } from '../support/e2e/command.js';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { useTestApi } from '../support/e2e/test-api.js';

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
    folder = mkdtempSync(join(tmpdir(), 'media-analysis-'));
    kept = await createMedia(api());
    erased = await createMedia(api());
    await expectOk(api().owner.put(kept.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Ada' }] }));
    await expectOk(api().owner.delete(erased.video));
    await api().world.restart(async () => copyFileSync(join(api().world.dataDir, 'events.db'), withoutKeys()));
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true }));

  it('says why a face is not explained, and why the content of an event is not shown', async () => {
    const video = (id: string, face = '1') => ['explain', 'face', id, face];
    expect((await ofLog(...video(erased.videoId))).err).to.match(/^error: video \S+ was erased at \d{4}-\S+Z\n$/);
    expect((await ofCopy(...video(kept.videoId), '--without-keys')).err).to.match(
      /^error: the key of video \S+ is missing: put keys.db and keys.secret next to the log/,
    );
    expect((await ofLog(...video('none'))).err).to.equal('error: there is no video none\n');
    const unknown = `error: video ${kept.videoId} never had a face 99\n`;
    expect((await ofLog(...video(kept.videoId, '99'))).err).to.equal(unknown);
    const shownOf = async (of: typeof ofLog, { videoId }: Media, ...more: ReadonlyArray<string>) => [
      (await of('log', '--stream', `video-${videoId}`, ...more)).out,
      (await of('show', `video-${videoId}`, ...more)).out,
    ];
    for (const out of await shownOf(ofLog, erased))
      expect(out)
        .to.match(/VideoAnalysisRecorded.*\n.*\n {4}erased\n/)
        .and.not.match(/^ *null$|Withheld/m);
    for (const out of await shownOf(ofCopy, kept)) expect(out).to.match(/ {4}cannot be read: its key is missing\n/);
    for (const out of await shownOf(ofCopy, kept, '--json'))
      expect(out).to.match(/"type":"VideoAnalysisRecorded".*"data":null,"key_missing":true/);
  });

  it('says nothing about what did not happen where keys are missing, unless --without-keys asks for the rest', async () => {
    const marts = join(folder, 'marts');
    for (const command of [
      ['late-writes', '--json'],
      ['replay'],
      ['replay', '--marts', '--out', marts],
      ['export', '--marts', '--out', marts],
      ['explain', 'face', kept.videoId, '1'],
    ]) {
      const { code, out, err } = await ofCopy(...command);
      expect([code, out], command.join(' ')).to.deep.equal([1, '']);
      expect(err).to.match(
        /^error: \d+ events? cannot be read: the keys are missing\. Either put keys\.db and .*; or add --without-keys/,
      );
    }
    expect(existsSync(join(marts, 'videos.parquet'))).to.equal(false);
    expect(await ofLog('replay')).to.include({ code: 0, err: '' });
    for (const command of ['late-writes', 'replay']) {
      const { code, out } = await ofCopy(command, '--without-keys');
      expect(code).to.equal(0);
      expect(out).to.match(/^\d+ events cannot be read: the keys are missing\. What follows lacks what they say\.\n/);
    }
    const partial = await ofCopy('export', '--marts', '--out', marts, '--json', '--without-keys');
    expect(partial.err).to.match(/^warning: \d+ events cannot be read: the keys are missing, and the result lacks/);
    expect(partial.out).to.match(/"unreadable":[1-9]/);
  });

  it('says in CSV why there are no data', async () => {
    const csv = async (ofWhich: typeof ofLog, stream: string) => {
      const out = join(folder, 'withheld.csv');
      await ofWhich('export', '--format', 'csv', '--out', out, '--force', '--stream', stream, '--type', 'FacesMatched');
      return readFileSync(out, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',').at(-1));
    };
    const [names, ...events] = await csv(ofCopy, `video-${kept.videoId}`);
    expect([names, ...events]).to.deep.equal(['withheld', 'key_missing']);
    expect(await csv(ofLog, `video-${kept.videoId}`)).to.deep.equal(['withheld', '']);
  });

  it('names the log that it seals, and says when there is no new seal', async () => {
    const first = await ofCopy('seal');
    expect(first.out.startsWith(`${withoutKeys()}: `)).to.equal(true);
    expect(first.out).not.to.include('no new one');
    const second = await ofCopy('seal');
    expect(second.out).to.include('Nothing was written since the last seal, so there is no new one');
    expect(second.out.split('\n').at(-2)).to.equal(first.out.split('\n').at(-2));
  });

  it('says what to do in its errors', async () => {
    const time = 'written with its offset, as in 2026-01-31T12:00Z';
    for (const [args, message] of [
      [['verify', '--seal', ''], "'' is neither a seal nor a file"],
      [['replay', '--to', 'xx'], `It must be a position, as in #123, or a time, ${time}`],
      [['replay', '--to', '2026'], 'Write #2026 for the position; for a time, it must be written with its offset'],
      [['replay', '--to', '20261125'], 'Write #20261125 for the position'],
      [['replay', '--to', '#20261125'], 'the position #20261125 is beyond the end of the log, which is #'],
      [['replay', '--to', '2026-11-25T09:36'], 'It must be a position, as in #123, or a time'],
      [['log', '--from', '2026-11-25T09:36:00'], `It must be a time, ${time}`],
      [['export', '--out', join(folder, 'none', 'x')], `error: the folder ${join(folder, 'none')} does not`],
      [['log', '--file', join(folder, 'none.db')], 'the file does not exist'],
    ] as const)
      expect((await ofLog(...args)).err, args.join(' ')).to.include(message);
  });

  it('takes positions as printed, with and without zeros, and times with an offset, with and without seconds', async () => {
    const printed = (await ofLog('log', '--type', 'VideoAnalysisRecorded')).out.split(' ')[0] ?? '';
    expect(printed).to.match(/^#[1-9]\d*$/);
    const after = (await ofLog('replay', '--to', printed)).out;
    expect(after).to.match(/^After \d+ events/);
    for (const to of [printed.slice(1), printed.replace('#', '#000'), printed.slice(1).padStart(16, '0')])
      expect((await ofLog('replay', '--to', to)).out, to).to.equal(after);
    for (const to of ['2001-02-03T04:05Z', '2001-02-03T04:05+01:00', '2001-02-03 04:05:06.789-01:00', '2001-02-03'])
      expect((await ofLog('replay', '--to', to)).out, to).to.match(/^After 0 events/);
  });
});
