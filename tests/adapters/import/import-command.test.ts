import { expect } from 'chai';
import { runCommand } from '../../support/e2e/command.js';
import { standIn } from './service.js';
import { aswFaces, avaFaces, avaTurns, clip } from './support.js';

const run = async (args: string[], env: Record<string, string> = {}) => {
  const { code, out, err } = await runCommand(['import', ...args], env);
  return { code, out: out.trimEnd(), err: err.trimEnd() };
};

describe('import command', () => {
  it('prints what it read and what it sent', async () => {
    const service = await standIn({
      'POST /v2/videos': { status: 200, body: { video_id: 'v-1', audio_id: null } },
      'POST /v2/audios': { status: 200, body: { audio_id: 'a-1', video_id: 'v-1' } },
      'PUT /v2/videos/v-1/analysis': { status: 200, body: { status: 'completed' } },
      'PUT /v2/audios/a-1/analysis': { status: 200, body: { status: 'completed' } },
    });
    const env = { MEDIA_ANALYSIS_URL: service.url, MEDIA_ANALYSIS_API_KEY: '', ADMIN_API_KEY: 'admin' };
    const { code, out, err } = await run([avaFaces, avaTurns], env);
    await service.close();
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out.split('\n')).to.deep.equal([
      `${avaFaces}: ava_csv of -FaXLcSFjUI, 2,750 rows`,
      '  7 faces, 24 visible intervals, 91.9 s visible, 40.2 s talking',
      '  noted: 24 × face track in the file; tracks of one speaker become one face',
      `${avaTurns}: rttm of -FaXLcSFjUI_c_01, 56 rows`,
      '  3 speakers, 56 turns, 54.6 s of speech',
      '  speakers: spk00 = 0, spk01 = 1, spk02 = 2',
      'video v-1 created',
      'audio a-1 created',
      'analysis of video v-1 completed',
      'analysis of audio a-1 completed',
      `${'file'.padEnd(avaTurns.length)}  format   speakers  named  turns  words  faces  notes`,
      `${avaFaces.padEnd(avaTurns.length)}  ava_csv  0         0      0      0      7      24`,
      `${avaTurns}  rttm     3         0      56     0      0      0`,
    ]);
    expect(service.received[0]?.key).to.equal('admin');
  });

  it('prints JSON, and sends nothing in a dry run', async () => {
    const { code, out } = await run([avaTurns, aswFaces, '--json', '--dry-run']);
    expect(code).to.equal(0);
    const parsed: unknown = JSON.parse(out);
    expect(parsed).to.have.nested.property('files[0].segments', 56);
    expect(parsed).to.have.nested.property('files[1].faces', 3);
    expect(parsed).to.have.property('video', null);
  });

  it('exits with 1 and prints the file and line of an error', async () => {
    const notice = clip('ava-avd/NOTICE');
    const { code, err } = await run([notice, '--key', 'k']);
    expect(code).to.equal(1);
    expect(err).to.equal(
      `error: ${notice}: the format is not recognised; if it is a supported one, name it (--format on the command line, format in a query)`,
    );
    const forced = await run([avaFaces, '--key', 'k', '--format', 'rttm']);
    expect(forced.code).to.equal(1);
    expect(forced.err.startsWith(`error: ${avaFaces}:1: unknown RTTM row type `)).to.equal(true);
  });

  it('imports the files that it knows, and exits with 1 if there are others', async () => {
    const notice = clip('ava-avd/NOTICE');
    const { code, out, err } = await run([notice, avaTurns, '--dry-run']);
    expect({ code, err }).to.deep.equal({ code: 1, err: '' });
    expect(out).to.include(`${notice}: the format is not recognised`);
    expect(out.split('\n').at(-1)).to.match(/NOTICE +not recognised$/);
    const { code: wanted } = await run(['--faces', notice, avaTurns, '--dry-run']);
    expect(wanted).to.equal(1);
    const { code: named } = await run([notice, '--format', 'rttm', '--dry-run']);
    expect(named).to.equal(1);
  });

  it('reads each file in the format given for its part', async () => {
    const parts = ['--faces', avaFaces, '--diarisation', avaTurns, '--dry-run'];
    const right = await run([...parts, '--faces-format', 'ava_csv', '--diarisation-format', 'rttm']);
    expect({ code: right.code, err: right.err }).to.deep.equal({ code: 0, err: '' });
    const wrong = await run([...parts, '--diarisation-format', 'ava_csv']);
    expect(wrong.code).to.equal(1);
    expect(wrong.err.startsWith(`error: ${avaTurns}:1: `)).to.equal(true);
    const both = await run([avaTurns, '--faces', avaFaces, '--format', 'rttm', '--dry-run']);
    expect({ code: both.code, err: both.err }).to.deep.equal({ code: 0, err: '' });
  });

  it('takes the word of the user for whether a transcript was supplied with the recording', async () => {
    const captions = 'tests/fixtures/imports/11-position-tags.srt';
    const expectSupplied = async (supplied: boolean, ...options: string[]): Promise<void> => {
      const { code, out, err } = await run([captions, '--dry-run', '--json', ...options]);
      expect({ code, err }).to.deep.equal({ code: 0, err: '' });
      const report: unknown = JSON.parse(out);
      expect(report).to.have.property('provider_supplied', supplied);
    };
    await expectSupplied(true);
    await expectSupplied(true, '--provider-supplied');
    await expectSupplied(false, '--own-analysis');
  });

  it('finds the service by MEDIA_ANALYSIS_URL or PORT, and prints the address if it fails', async () => {
    const looked = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (await run([avaTurns, '--key', 'k'], env)).err;
    expect(await looked({ PORT: '9' }))
      .to.include('no answer from http://127.0.0.1:9 ')
      .and.to.include('--url');
    expect(await looked({ PORT: '9', MEDIA_ANALYSIS_URL: 'http://127.0.0.2:9' })).to.include('http://127.0.0.2:9 ');
  });

  it('exits with 2 on a usage error', async () => {
    const wrong: ReadonlyArray<readonly [string[], RegExp]> = [
      [[], /^error: no API key/],
      [['--key', 'k'], /^error: no file to import$/],
      [['--nonsense', avaTurns], /unknown option/],
      [[avaTurns], /^error: no API key: give --key/],
      [[avaTurns, '--key', 'k', '--url', 'localhost'], /'--url <base>' argument 'localhost' is invalid\. It is not/],
      [[avaTurns, '--dry-run', '--video-id', 'a b'], /argument 'a b' is invalid\. It must have 1 to 128 characters/],
      [[avaTurns, '--dry-run', '--audio-id', 'x'.repeat(129)], /is invalid\. It must have 1 to 128 characters/],
      [[avaTurns, '--key', 'k', '--format', 'mp4'], /^error: the format mp4 is not one of rttm, ava_csv, asw_json, /],
      [
        [avaTurns, '--key', 'k', '--provider-supplied', '--own-analysis'],
        /cannot be used with option '--provider-supplied'/,
      ],
      [
        [avaTurns, avaFaces, '--key', 'k', '--format', 'rttm'],
        /^error: --format is for one file; with several, --faces-format, /,
      ],
      [[avaTurns, '--key', 'k', '--faces-format', 'ava_csv'], /^error: --faces-format needs --faces: /],
      [['--faces', avaFaces, '--key', 'k', '--faces-format', 'mp4'], /^error: the format mp4 is not one of rttm, /],
      [[avaTurns, avaTurns, '--key', 'k'], /^error: only one file of speaker turns can be imported at a time:/],
    ];
    const results = await Promise.all(wrong.map(([args]) => run(args)));
    const twice = results.at(-1)?.err.split('\n') ?? [];
    expect(twice.slice(1).filter((line) => line.startsWith('error: '))).to.deep.equal([]);
    results.forEach(({ code, err }, index) => {
      expect(code).to.equal(2);
      expect(err).to.match(wrong[index]?.[1] ?? /nothing/);
    });
  });
});
