import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programOf } from './program.js';

export const relayProgram = programOf('turnserver');
export const howToGetRelay = 'apt-get install -y coturn';

export interface Relay {
  readonly url: string;
  readonly secret: string;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** The host's non-loopback address: coturn does not relay to loopback. */
export const ownAddress = (): string | null =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;

const freePort = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', reject);
    socket.bind(0, address, () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });

const deployed = fileURLToPath(new URL('../../../../docs/examples/deployment/turnserver.conf', import.meta.url));
/** What the example names of its own machines. */
const ofTheMachine = /^(static-auth-secret|listening-port|external-ip|tls-listening-port|cert|pkey|allowed-peer-ip)=/;

/** The settings of the deployment example for another machine: the only peer is `peer`. */
const settingsFor = (own: Readonly<Record<string, string>>, peer: string): string =>
  [
    ...readFileSync(deployed, 'utf8')
      .split('\n')
      .filter((line) => !ofTheMachine.test(line)),
    ...Object.entries({ ...own, 'allowed-peer-ip': peer }).map(([name, value]) => `${name}=${value}`),
    'no-tls',
    'no-dtls',
    'simple-log',
    'verbose',
  ].join('\n');

/**
 * Starts coturn at that address with the settings of the deployment example, a shared secret and `peer` as the only
 * address to which it relays, and waits until it listens.
 */
export const startRelay = async (address: string, peer = address): Promise<Relay> => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const secret = 'shared-with-the-relay';
  const port = await freePort(address);
  const own = {
    'listening-ip': address,
    'relay-ip': address,
    'listening-port': String(port),
    'static-auth-secret': secret,
    pidfile: join(folder, 'pid'),
    userdb: join(folder, 'users'),
    'log-file': 'stdout',
  };
  const file = join(folder, 'turnserver.conf');
  writeFileSync(file, settingsFor(own, peer));
  const relay = spawn(relayProgram ?? '', ['-c', file], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
  let log = '';
  relay.stdout.on('data', (text: Buffer) => {
    log += text.toString();
  });
  const exited = new Promise<void>((resolve) => {
    relay.once('exit', () => resolve());
  });
  await new Promise<void>((resolve, reject) => {
    relay.once('exit', (code) => reject(new Error(`the relay ended with code ${code}`)));
    relay.stdout.on('data', (text: Buffer) => {
      if (/listener opened on/i.test(text.toString())) resolve();
    });
  });
  return {
    url: `turn:${address}:${port}?transport=udp`,
    secret,
    log: () => log,
    stop: async () => {
      relay.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
};
