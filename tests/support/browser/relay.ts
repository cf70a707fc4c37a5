import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { programOf } from './program.js';

export const relayProgram = programOf('turnserver');
export const howToGetRelay = 'apt-get install -y coturn';

export interface Relay {
  readonly url: string;
  readonly secret: string;
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

/** Starts coturn at that address, with a shared secret, and waits until it listens. */
export const startRelay = async (address: string): Promise<Relay> => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const secret = 'shared-with-the-relay';
  const port = await freePort(address);
  const settings = {
    'listening-ip': address,
    'relay-ip': address,
    'listening-port': String(port),
    'static-auth-secret': secret,
    realm: 'media-analysis',
    'min-port': '49152',
    'max-port': '49999',
    pidfile: join(folder, 'pid'),
    userdb: join(folder, 'users'),
    'log-file': 'stdout',
  };
  const flags = ['-n', '--use-auth-secret', '--no-cli', '--no-tls', '--no-dtls', '--simple-log', '--verbose'];
  const given = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const relay = spawn(relayProgram ?? '', [...flags, ...given], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
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
    stop: async () => {
      relay.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
};
