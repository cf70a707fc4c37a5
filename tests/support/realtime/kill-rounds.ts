import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { shortLivedNodeOptions } from '../short-lived-process.js';
import { type HttpClient, httpClient } from '../http-client.js';
import { chargesOf } from '../e2e/naming.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../service-process.js';
import { startHttpEngine } from './http-engine.js';
import { type NewSession, newSession, pathOf } from './stage.js';

/** A session as its client observed it, in seconds of the client's clock. */
interface ObservedSession {
  readonly session: NewSession;
  /** Its media began between these two times. */
  readonly from: readonly [number, number];
  to: readonly [number, number];
  killed: boolean;
}

export interface KillResult {
  readonly sessions: number;
  readonly kills: number;
  readonly connected_seconds: number;
  readonly charged_seconds: number;
  /** Sessions charged for more time than they were connected, or for less by more than a metering interval. */
  readonly violations: ReadonlyArray<string>;
}

const meter_seconds = 1;
const seconds = (): number => performance.now() / 1_000;

const connected = async (client: HttpClient, session: NewSession): Promise<ObservedSession> => {
  const before = seconds();
  await client.post(pathOf(session, '/offer'), { type: 'offer', sdp: 'v=0\r\n' });
  for (;;) {
    const { body } = await client.get(pathOf(session));
    const isConnected = typeof body === 'object' && body !== null && 'status' in body && body.status === 'connected';
    if (isConnected) break;
    await setTimeout(2);
  }
  const after = seconds();
  return { session, from: [before, after], to: [after, after], killed: true };
};

const ended = async (client: HttpClient, seen: ObservedSession): Promise<void> => {
  const before = seconds();
  const { status } = await client.post(pathOf(seen.session, '/end'));
  seen.to = [before, seconds()];
  seen.killed = status !== 200;
};

const check = ({ session, from, to, killed }: ObservedSession, charged: number): ReadonlyArray<string> => {
  const most = Math.floor(to[1] - from[0] + 0.02);
  const least = Math.floor(to[0] - from[1]) - (killed ? meter_seconds + 1 : 0);
  const facts = `${session.session_id}: charged ${charged} s, connected ${least} to ${most} s, killed: ${killed}`;
  return charged > most || charged < least ? [facts] : [];
};

/** Runs sessions at one credit a second on a service that is killed again and again, and checks what it charged. */
export const killRealtime = async (sessions: number, kills: number): Promise<KillResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'media-analysis-'));
  const engine = await startHttpEngine();
  const env = {
    REALTIME_ENGINE_URL: engine.url,
    REALTIME_METER_SECONDS: String(meter_seconds),
    REALTIME_MAX_SESSIONS: String(sessions),
    REALTIME_MAX_SESSIONS_PER_ACCOUNT: String(sessions),
    PRICE_REALTIME_PER_MINUTE: '60',
  };
  const start = (): Promise<ServiceProcess> => startServiceProcess(folder, { env, node: shortLivedNodeOptions });
  let service = await start();
  const client = (): HttpClient => httpClient(service.url, adminKey);
  await client().post('/v1/accounts/admin/credits', { amount: 1_000_000, reason: 'for a test' });
  const all: ObservedSession[] = [];
  const perRound = Math.ceil(sessions / kills);
  for (let round = 0; round < kills; round += 1) {
    const count = Math.min(perRound, sessions - all.length);
    const created = await Promise.all(Array.from({ length: count }, () => newSession(client())));
    const seen = await Promise.all(created.map((session) => connected(client(), session)));
    await setTimeout(1_200 + Math.random() * 2_500);
    const [ending, dying] = [seen.slice(0, count / 3), seen.slice(count / 3)];
    const ends = Promise.all(ending.map((one) => ended(client(), one).catch(() => undefined)));
    if (round % 2 === 0) await ends;
    const before = seconds();
    await service.kill();
    for (const one of [...dying, ...ending.filter(({ killed }) => killed)]) one.to = [before, seconds()];
    await ends;
    all.push(...seen);
    service = await start();
  }
  const charges = await chargesOf(client(), 'admin');
  const chargedTo = (id: string): number =>
    charges.reduce((sum, { session_id, amount }) => (session_id === id ? sum - amount : sum), 0);
  const violations = all.flatMap((one) => check(one, chargedTo(one.session.session_id)));
  const left = await Promise.all(all.map(({ session }) => client().get(pathOf(session))));
  const open = left.filter(({ status }) => status !== 404).map(({ text }) => `left open: ${text}`);
  await Promise.all(Array.from({ length: sessions }, () => newSession(client())));
  await service.kill();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
  return {
    sessions: all.length,
    kills,
    connected_seconds: all.reduce((sum, { from, to }) => sum + to[1] - from[0], 0),
    charged_seconds: all.reduce((sum, one) => sum + chargedTo(one.session.session_id), 0),
    violations: [...violations, ...open],
  };
};
