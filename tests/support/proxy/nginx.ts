import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programOf } from '../browser/program.js';
import { freePort } from '../processes.js';
import { fixture } from '../recorded-events.js';
import { isListening } from '../service-process.js';

/** Debian puts it where only root's PATH leads. */
export const nginxProgram = programOf('nginx', '../sbin/nginx');
export const howToGetNginx = 'apt-get install -y nginx';

export interface Proxy {
  readonly port: number;
  /** The certificate that clients must trust, for `localhost`. */
  readonly ca: string;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

const example = fileURLToPath(new URL('../../../../docs/examples/deployment/nginx.conf', import.meta.url));

/** The configuration of the example with other values; fails if the example lacks one of the texts. */
const exampleWith = (replacements: ReadonlyArray<readonly [string, string]>): string =>
  replacements.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the example lacks: ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(example, 'utf8'),
  );

/** Starts nginx with the configuration of the example in front of the service at this address. */
export const startProxy = async (service: string): Promise<Proxy> => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const [port, plainPort] = [await freePort(), await freePort()];
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${folder}/${what};`,
  );
  const configuration = exampleWith([
    // Its workers keep the user that starts it, who may write to the folder.
    ['user www-data;', `daemon off;${process.getuid?.() === 0 ? ' user root;' : ''}`],
    ['worker_processes auto;', 'worker_processes 1;'],
    ['/run/nginx.pid', `${folder}/pid`],
    ['error_log /var/log/nginx/error.log warn;', 'error_log stderr warn;'],
    ['/var/log/nginx/access.log', `${folder}/access.log`],
    ['/etc/ssl/media-analysis/fullchain.pem', fixture('tls/cert.pem')],
    ['/etc/ssl/media-analysis/key.pem', fixture('tls/key.pem')],
    ['server_tokens off;', ['server_tokens off;', ...own].join('\n')],
    ['listen [::]:80;', ''],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:443 ssl http2;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['127.0.0.1:8080', new URL(service).host],
    ['media.example', 'localhost'],
  ]);
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const nginx = spawn(nginxProgram ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  nginx.stderr.on('data', (text: Buffer) => (log += text.toString()));
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    nginx.once('exit', () => {
      hasEnded = true;
      resolve();
    });
  });
  while (!(await isListening(port))) {
    if (hasEnded) throw new Error(`nginx ended: ${log}`);
    await setTimeout(20);
  }
  return {
    port,
    ca: readFileSync(fixture('tls/cert.pem'), 'utf8'),
    log: () => log + readFileSync(join(folder, 'access.log'), 'utf8'),
    stop: async () => {
      nginx.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};
