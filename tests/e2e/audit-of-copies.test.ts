import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { testEngine } from '../support/engine.js';
import { runCommand } from '../support/e2e/command.js';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { useTestApi } from '../support/e2e/test-api.js';

describe('media-analysis audit of copies and of erased media', function () {
  this.timeout(60_000);
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

  it('explains that a video was erased, that its key is missing, or that there is none', async () => {
    const video = (id: string) => ['explain', 'face', id, '1'];
    expect((await ofLog(...video(erased.videoId))).err).to.match(
      new RegExp(`^error: video ${erased.videoId} was erased at \\d{4}-\\S+Z\\n$`),
    );
    expect((await ofCopy(...video(kept.videoId))).err).to.match(
      new RegExp(`^error: the key of video ${kept.videoId} is missing: put keys.db and keys.secret next to the log`),
    );
    expect((await ofLog(...video('none'))).err).to.equal('error: there is no video none\n');
    expect((await ofLog('explain', 'face', kept.videoId, '99')).err).to.equal(
      `error: video ${kept.videoId} never had a face 99\n`,
    );
  });

  it('says why the content of an event is not shown', async () => {
    const erasedStream = `video-${erased.videoId}`;
    const listed = (await ofLog('log', '--stream', erasedStream)).out;
    expect(listed).to.match(/VideoAnalysisRecorded.*\n.*\n {4}erased\n/);
    expect(listed).not.to.match(/^ *null$/m);
    const shown = (await ofLog('show', erasedStream)).out;
    expect(shown).to.match(/VideoAnalysisRecorded.*\n.*\n {4}erased\n/);
    expect(shown).not.to.include('Withheld');
    const keyless = `video-${kept.videoId}`;
    const missing = / {4}cannot be read: its key is missing\n/;
    expect((await ofCopy('log', '--stream', keyless)).out).to.match(missing);
    expect((await ofCopy('show', keyless)).out).to.match(missing);
    expect((await ofCopy('show', keyless, '--json')).out).to.match(
      /"type":"VideoAnalysisRecorded","data":null,"key_missing":true/,
    );
  });

  it('warns of what a replay lacks because keys are missing', async () => {
    const warning = /^warning: \d+ events cannot be read, and the result lacks what they say: the keys are missing\./;
    const marts = await ofCopy('export', '--marts', '--out', join(folder, 'marts'), '--json');
    expect(marts.err).to.match(warning);
    expect(marts.out).to.match(/"unreadable":[1-9]/);
    expect((await ofCopy('replay')).err).to.match(warning);
    expect((await ofCopy('late-writes')).err).to.match(warning);
    expect(await ofLog('replay')).to.include({ code: 0, err: '' });
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
    const errors: ReadonlyArray<readonly [string[], RegExp]> = [
      [['log', '--stream', 'film'], /a stream is named category-id, as in video-7; the categories are .*video/],
      [['show', 'video-none'], /there is no stream video-none$/m],
      [['log', '--stream', `video-${kept.videoId}`, '--type', 'TagRemoved'], /there is no such event in a stream/],
      [['verify', '--seal', ''], /'' is neither a seal nor a file/],
      [['replay', '--to', 'xx'], /It must be a position, or a time/],
      [
        ['export', '--out', join(folder, 'none', 'x')],
        new RegExp(`error: the folder ${join(folder, 'none')} does not`),
      ],
    ];
    for (const [args, message] of errors) expect((await ofLog(...args)).err, args.join(' ')).to.match(message);
    expect((await runCommand(['audit', 'log'], { DATA_DIR: join(folder, 'unused') })).err).to.match(
      /the file does not exist; set DATA_DIR, or give --file/,
    );
  });

  it('reports a server that cannot be reached as one error', async () => {
    const nowhere = ['--event-store', 'esdb://127.0.0.1:9?tls=false'];
    for (const command of ['verify', 'seal']) {
      const { code, out, err } = await runCommand(['audit', command, ...nowhere], { DATA_DIR: join(folder, 'unused') });
      expect([code, out]).to.deep.equal([1, '']);
      expect(err).to.match(/^error: .*127\.0\.0\.1:9.*\n$/);
    }
  });
});
