import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The compilers that users of the client have. */
const compilers: Readonly<Record<string, string>> = {
  'TypeScript 7': 'node_modules/typescript',
  'TypeScript 5': 'tests/support/client/typescript-5/node_modules/typescript',
};

/** Compiles a project. Returns the compiler's output, which is empty on success. */
const compile = (folder: string, compiler = 'node_modules/typescript'): string => {
  const tsc = join(root, compiler, 'bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' });
  return `${stdout}${stderr}`;
};

/** Code as users write it. The types must detect each mistake marked with `@ts-expect-error`. */
const sample = `
import { ApiError, type Call, MediaAnalysis, NotFoundError, type Pager, type ResultsFrame } from 'media-analysis/client';

const client = new MediaAnalysis({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'x', timeoutMs: 1_000, maxRetries: 0 });

export const job = async (): Promise<string> => {
  const { video_id } = await client.videos.create({ title: 'x' }, { idempotencyKey: 'k' });
  for await (const { title, faces } of client.videos.list({ needs_review: true })) {
    const text: string | null = title;
    const names: ReadonlyArray<string | null> = faces.map(({ name }) => name);
    console.log(text, names);
  }
  const run = await client.runs.wait(await client.matches.suggest(video_id, { target_speaker_ids: [1] }));
  if (run.state === 'completed') await client.matches.commit(video_id, await client.matches.suggestions(video_id));
  const { data, response } = await client.names.suggest('a', { target_speaker_ids: [1] }).withResponse();
  const position: string | null = response.position;
  const pending: Call<{ readonly balance: number }> = client.credits.get('a');
  const pager: Pager<{ readonly amount: number }> = client.credits.ledger('a');
  console.log((await pending).balance, await pager.toArray(3), data.map(({ quote_location }) => quote_location?.index));
  return position ?? 'none';
};

export const level = (frame: ResultsFrame): number | null =>
  frame.type === 'result' && frame.kind === 'voice_activity' ? frame.level_dbfs : null;

export const why = (error: unknown): string =>
  error instanceof NotFoundError ? 'gone' : error instanceof ApiError ? \`\${error.status} \${error.code} \${error.request_id}\` : 'other';

// @ts-expect-error there is no such method
client.videos.remove('x');
// @ts-expect-error a title is a text
void client.videos.create({ title: 3 });
// @ts-expect-error the answer has no such field
void client.videos.get('x').then(({ titel }) => titel);
// @ts-expect-error a mapping has a speaker
void client.matches.commit('x', { mappings: [{ face_id: 1 }] });
// @ts-expect-error there is no such order
client.videos.list({ order: 'random' });
// @ts-expect-error a client needs a key
new MediaAnalysis({ baseUrl: 'http://127.0.0.1:8080' });
`;

const platforms = {
  // With Node's types checking the libraries too takes long; the variant for browsers checks those of the client.
  'a program on Node': {
    skipLibCheck: true,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['es2022'],
    types: ['node'],
  },
  'a page': { skipLibCheck: false, module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
};

describe('the types of the client', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
  before(() => {
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules/media-analysis'));
    symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'sample.ts'), sample);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [version, compiler] of Object.entries(compilers))
    for (const [platform, options] of Object.entries(platforms))
      it(`hold in ${platform} under ${version}`, () => {
        const compilerOptions = { ...options, target: 'es2022', strict: true, noEmit: true };
        const exact = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
        const project = { compilerOptions: { ...compilerOptions, ...exact }, files: ['sample.ts'] };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
        expect(compile(folder, compiler)).to.equal('');
      });

  it('hold in the example programs of the documents', () => {
    const files = ['main-job.mjs', 'review.mjs'];
    for (const file of files) copyFileSync(join(root, 'docs/examples/client', file), join(folder, file));
    const checked = { allowJs: true, checkJs: true, strict: true, noImplicitAny: false, noEmit: true };
    const compilerOptions = { ...platforms['a program on Node'], ...checked, target: 'es2022' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    expect(compile(folder)).to.equal('');
  });
});
