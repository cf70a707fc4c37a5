import { type Socket, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectionBeginnings } from '../attacks/support/beginnings.js';
import { type Probed, startBystander, startProber } from '../attacks/support/prober.js';
import { forEach } from '../attacks/support/scene.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { type ServiceProcess, adminKey, startProgram, startServiceProcess } from '../support/service-process.js';
import { median, quick, whole } from './support/figures.js';

/*
 * How long GET /healthz waits while 4,000 connections are opened as fast as one client can: silent ones, half requests, half
 * bodies, and whole requests. Beside it, Node's own HTTP server under the same load, by turns: its connections also wait in
 * the system's queue until they are accepted, one in each turn of the event loop.
 */

const connections = quick ? 400 : 4_000;
const rounds = quick ? 1 : 5;
const parallel = 100;

const beginnings = connectionBeginnings(adminKey);

const openConnection = (port: number, beginning: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket
      .on('error', () => undefined)
      .on('data', () => undefined)
      .once('connect', () => {
        socket.write(beginning);
        resolve(socket);
      })
      .once('close', () => resolve(socket));
  });

const underConnections = async (service: ServiceProcess, bystander: number): Promise<Probed['service']> => {
  const prober = startProber(service, bystander);
  await setTimeout(500);
  const open: Socket[] = [];
  await forEach(Array.from({ length: connections }).keys(), parallel, async (index) => {
    open.push(await openConnection(service.port, beginnings[index % beginnings.length] ?? ''));
  });
  await setTimeout(3_000);
  for (const socket of open) socket.destroy();
  await setTimeout(1_000);
  return (await prober.end()).service;
};

const { path, remove } = await temporaryFolder();
const bystander = await startBystander();
const script = fileURLToPath(new URL('./peers/bare-server.js', import.meta.url));
const servers = {
  service: await startServiceProcess(path, { env: { LOG_LEVEL: 'fatal' } }),
  'bare node:http': await startProgram({ script: [script] }),
};
const waits = new Map<string, number[]>();
for (let round = 0; round < rounds; round += 1)
  for (const [name, server] of Object.entries(servers)) {
    const { clock } = await underConnections(server, bystander.port);
    waits.set(name, [...(waits.get(name) ?? []), clock]);
  }
for (const server of Object.values(servers)) await server.stop();
bystander.end();
await remove();

console.log(`Longest wait for GET /healthz while ${connections} connections are opened, in milliseconds:`);
console.table(
  Object.fromEntries(
    [...waits].map(([name, each]) => [name, { median: whole(median(each)), each: each.map(whole).join(', ') }]),
  ),
);
