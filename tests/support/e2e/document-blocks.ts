import { execFile, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const fileText = (name: string): string => readFileSync(join(root, name), 'utf8');

/** A fenced block of a page. `language` is empty if the page names none. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

const pages = (): ReadonlyArray<string> => [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const allBlocks = (): ReadonlyArray<Block> =>
  pages().flatMap((page) =>
    [...fileText(page).matchAll(/^ *```(.*)\n([^]*?)^ *```$/gm)].map(([, language = '', code = '']) => ({
      page,
      language,
      code,
    })),
  );

/** Commands that serve until they are stopped, and what they print then. */
const servers: ReadonlyArray<readonly [command: RegExp, ready: RegExp]> = [
  [/^(?:\w+=\S+ )?npm start$/, /listening/],
  [/ media-analysis vault serve$/, /Serving the key vault/],
  [/ node docs\/examples\/realtime\/server\.mjs$/, /The page is at/],
];

/** What the command of a block prints once it serves; undefined for a block that ends by itself. */
export const servesWith = ({ code }: Block): RegExp | undefined =>
  servers.find(([command]) => command.test(code.trim()))?.[1];

export interface Ran {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

type Environment = Readonly<Record<string, string>>;

/** A function and not an alias, because a function can also be called after variables. */
const commandLine = 'media-analysis() { node dist/adapters/bin.js "$@"; }';
const shell = (script: string): ReadonlyArray<string> => [
  '-O',
  'expand_aliases',
  '-c',
  `set -e\n${commandLine}\n${script}`,
];

/** Runs commands as if they were pasted into a shell, without anything to type. */
export const pasted = (script: string, cwd: string, env: Environment): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: 90_000 };
    const child = execFile('bash', shell(script), options, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    );
    child.stdin?.end();
  });

/** Runs a command that does not end until its output contains this, or it ends; then kills it. Returns the output. */
export const pastedUntil = (ready: RegExp, script: string, cwd: string, env: Environment): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn('bash', shell(script), { cwd, env: { ...process.env, ...env }, detached: true });
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(kill, 60_000);
    let out = '';
    const note = (part: Buffer): void => {
      out += part.toString();
      if (ready.test(out)) kill();
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(out);
    });
  });
