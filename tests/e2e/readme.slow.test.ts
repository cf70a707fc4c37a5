import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type World, startWorld } from '../support/world.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const tutorial = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
const httpExample = readFileSync(join(root, 'docs/http-example.md'), 'utf8');

interface Ran {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** Runs commands as if they were pasted into a shell. */
const pasted = (script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: 50_000 };
    execFile('bash', ['-O', 'expand_aliases', '-c', script], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    );
  });

describe('the README', function () {
  this.timeout(60_000);
  let world: World;
  let folder: string;
  before(async () => {
    world = await startWorld({ match_worker: 'embedded' });
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-readme-'));
    for (const part of ['dist', 'adapters', 'docs']) await symlink(join(root, part), join(folder, part));
  });
  after(async () => {
    await world.end();
    await rm(folder, { recursive: true });
  });

  it('has a first example that works as written', async function () {
    if ((await pasted('curl --version', folder, {})).code !== 0) return this.skip();
    const blocks = readme.split('```sh\n').map((text) => text.slice(0, text.indexOf('```')));
    const conversation = blocks.find((block) => block.includes('media-analysis import')) ?? '';
    const script = conversation.replace('<the admin key>', world.adminKey).replaceAll('localhost:8080', world.url());
    const { code, out, err } = await pasted(script, folder, { MEDIA_ANALYSIS_URL: world.url() });
    expect(code, err).to.equal(0);
    const answers = out.split('\n').filter((line) => line.startsWith('{'));
    expect(answers).to.have.length(7);
    expect(answers.filter((answer) => answer.includes('"detail"'))).to.deep.equal([]);
    expect(await readFile(join(folder, 'block.json'), 'utf8')).to.match(/"mappings":\[\{/);
    const isMatched = (answer: string | undefined) =>
      /"speaker_id":\d/.test((answer ?? '').split('"speaker_face_match"')[0] ?? '');
    expect([answers[1], answers[3], answers[4]].map(isMatched)).to.deep.equal([false, true, false]);
    expect(out)
      .to.match(/would be put back\tface \d+\t.*speaker_id/)
      .and.to.match(/\nput back\tface \d+\t.*speaker_id/);
    expect(answers[5]).to.include('VideoChangeReverted');
  });

  it('links to a tutorial whose commands work as written, one after the other', async function () {
    if ((await pasted('curl --version', folder, {})).code !== 0) return this.skip();
    const blocks = [...tutorial.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
    expect(blocks).to.have.length(7);
    const script = blocks
      .join('\n')
      .replace('<the admin key>', world.adminKey)
      .replaceAll('localhost:8080', world.url());
    const env = { MEDIA_ANALYSIS_URL: world.url(), DATA_DIR: world.dataDir };
    const { code, out, err } = await pasted(`set -e\n${script}`, folder, env);
    expect(code, err).to.equal(0);
    const answers = out.split('\n').filter((line) => line.startsWith('{') || line.startsWith('['));
    expect(answers.filter((answer) => answer.includes('"detail"'))).to.deep.equal([]);
    const videos = answers.filter((answer) => answer.startsWith('{"video_id":"tutorial","owner_id"'));
    const speakersIn = (video: string): boolean => /"speaker_id":\d/.test(video.split('"speaker_face_match"')[0] ?? '');
    expect(videos.map(speakersIn)).to.deep.equal([false, true, true, false]);
    expect(videos[2]).to.include('"name":"Ada Lovelace"');
    expect(out)
      .to.include('FacesMatched')
      .and.to.match(/\nput back\tface \d+/);
  });

  it('links to HTTP requests from registration to erasure that work as written', async function () {
    if ((await pasted('curl --fail-with-body --version', folder, {})).code !== 0) return this.skip();
    const blocks = [...httpExample.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
    expect(blocks).to.have.length(10);
    const script = blocks
      .join('\n')
      .replace('<the admin key>', world.adminKey)
      .replaceAll('localhost:8080', world.url());
    const { code, out, err } = await pasted(`set -e\n${script}`, folder, {});
    expect(code, err).to.equal(0);
    const answers = out.split('\n').filter((line) => line.startsWith('{') || line.startsWith('['));
    const refused = answers.filter((answer) => answer.includes('"detail"'));
    expect(refused).to.have.length(1);
    expect(refused[0]).to.include('"code":"erased"');
    expect(out)
      .to.match(/"state":"completed"/)
      .and.to.include('"category":"name_inference","charges":1')
      .and.to.include('"status":"ended","duration_seconds":0');
  });
});
