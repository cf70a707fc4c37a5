import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../event-store/stores.js';
import type { HttpClient } from '../http-client.js';
import { chargesOf } from '../e2e/naming.js';
import { type Killed, killUnderLoad } from '../killed-service.js';
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

interface KillResult extends Killed {
  readonly sessions: number;
  readonly connected_seconds: number;
  readonly charged_seconds: number;
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

/** A fault if it was charged for more time than it was connected, or for less by more than a metering interval. */
const check = ({ session, from, to, killed }: ObservedSession, charged: number): ReadonlyArray<string> => {
  const most = Math.floor(to[1] - from[0] + 0.02);
  const least = Math.floor(to[0] - from[1]) - (killed ? meter_seconds + 1 : 0);
  const facts = `${session.session_id}: charged ${charged} s, connected ${least} to ${most} s, killed: ${killed}`;
  return charged > most || charged < least ? [facts] : [];
};

/** Runs sessions at one credit a second on a service that is killed again and again, and checks what it charged. */
export const killRealtime = async (sessions: number, kills: number): Promise<KillResult> => {
  const { path, remove } = await temporaryFolder();
  const engine = await startHttpEngine();
  const all: ObservedSession[] = [];
  const perRound = Math.ceil(sessions / kills);
  const open = (admin: HttpClient, count: number) =>
    Promise.all(Array.from({ length: count }, () => newSession(admin)));
  let charged_seconds = 0;
  const killed = await killUnderLoad({
    data_dir: path,
    env: {
      REALTIME_ENGINE_URL: engine.url,
      REALTIME_METER_SECONDS: String(meter_seconds),
      REALTIME_MAX_SESSIONS: String(sessions),
      REALTIME_MAX_SESSIONS_PER_ACCOUNT: String(sessions),
      PRICE_REALTIME_PER_MINUTE: '60',
    },
    goesOn: (done) => done < kills,
    longest_ms: 0,
    load: async ({ admin }, round) => {
      if (round === 0) await admin.post('/v1/accounts/admin/credits', { amount: 1_000_000, reason: 'for a test' });
      const created = await open(admin, Math.min(perRound, sessions - all.length));
      const seen = await Promise.all(created.map((session) => connected(admin, session)));
      all.push(...seen);
      await setTimeout(1_200 + Math.random() * 2_500);
      const [ending, dying] = [seen.slice(0, seen.length / 3), seen.slice(seen.length / 3)];
      const ends = Promise.all(ending.map((one) => ended(admin, one).catch(() => undefined)));
      if (round % 2 === 0) await ends;
      const before = seconds();
      return async () => {
        for (const one of [...dying, ...ending.filter(({ killed }) => killed)]) one.to = [before, seconds()];
        await ends;
      };
    },
    judge: async ({ admin }, done) => {
      if (done < kills) return [];
      const charges = await chargesOf(admin, 'admin');
      const faults = all.flatMap((one) => {
        const own = charges.filter(({ session_id }) => session_id === one.session.session_id);
        const charged = own.reduce((sum, { amount }) => sum - amount, 0);
        charged_seconds += charged;
        return check(one, charged);
      });
      const left = await Promise.all(all.map(({ session }) => admin.get(pathOf(session))));
      // There is room for as many again.
      await open(admin, sessions);
      return [...faults, ...left.filter(({ status }) => status !== 404).map(({ text }) => `left open: ${text}`)];
    },
  });
  await engine.close();
  await remove();
  const connected_seconds = all.reduce((sum, { from, to }) => sum + to[1] - from[0], 0);
  return { ...killed, sessions: all.length, connected_seconds, charged_seconds };
};
