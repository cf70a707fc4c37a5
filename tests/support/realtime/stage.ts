import * as t from 'io-ts';
import type { Clock } from '../../../application/ports/clock.js';
import { type Config, defaults } from '../../../adapters/config/config.js';
import { type HttpAnswer, type HttpClient, bodyOf } from '../http-client.js';
import { type World, startWorld } from '../world.js';
import { credits } from '../values.js';
import { type ResultsClient, connectResults } from './results-client.js';
import { type ScriptedEngine, scriptedEngine } from './scripted-engine.js';

const NewSession = t.type({
  session_id: t.string,
  token: t.string,
  token_expires_at: t.string,
  ice_servers: t.array(
    t.intersection([t.type({ urls: t.array(t.string) }), t.partial({ username: t.string, credential: t.string })]),
  ),
  session_url: t.string,
  results_url: t.string,
  expires_at: t.string,
});
export type NewSession = t.TypeOf<typeof NewSession>;

export interface Stage {
  readonly world: World;
  readonly engine: ScriptedEngine;
  readonly owner: HttpClient;
  readonly stranger: HttpClient;
  /** A new account with so many credits, and a client of it. */
  readonly account: (amount: number) => Promise<{ readonly account_id: string; readonly client: HttpClient }>;
}

export const sessionPath = '/v2/realtime/session';
export const resultsPath = '/v2/realtime/results';

/** A service with a scripted engine and the default timers. One account may have all sessions. */
export const openStage = async (
  realtime: Partial<Config['realtime']> = {},
  config: Partial<Config> = {},
  clock?: Clock,
): Promise<Stage> => {
  const engine = scriptedEngine();
  const { max_sessions } = { ...defaults.realtime, ...realtime };
  const forTests = { price_per_minute: credits('60'), max_sessions_per_account: max_sessions };
  const settings = { ...defaults.realtime, ...forTests, ...realtime };
  const world = await startWorld({ realtime: settings, ...config }, engine, clock);
  let made = 0;
  const account = async (amount: number) => {
    const account_id = `realtime-${(made += 1)}`;
    const client = await world.client(account_id);
    if (amount !== 0) await world.admin.post(`/v1/accounts/${account_id}/credits`, { amount, reason: 'for a test' });
    return { account_id, client };
  };
  return { world, engine, owner: (await account(10_000)).client, stranger: (await account(10_000)).client, account };
};

/** One service for the tests of a `describe`. */
export const stageOfAll = (realtime: Partial<Config['realtime']> = {}): (() => Stage) => {
  let stage: Stage | null = null;
  before(async () => {
    stage = await openStage(realtime);
  });
  after(() => stage?.world.end());
  return () => {
    if (stage === null) throw new Error('the stage is there in tests alone');
    return stage;
  };
};

export const sessionOf = (answer: HttpAnswer): NewSession => bodyOf(NewSession, answer);

export const newSession = async (client: HttpClient): Promise<NewSession> => sessionOf(await client.post(sessionPath));

export const pathOf = ({ session_id }: NewSession, rest = ''): string => `${sessionPath}/${session_id}${rest}`;

/** Negotiates a session, and reports its media as connected. */
export const connect = async ({ engine }: Stage, client: HttpClient, session: NewSession): Promise<void> => {
  const { status, text } = await client.post(pathOf(session, '/offer'), { type: 'offer', sdp: 'v=0\r\n' });
  if (status !== 200) throw new Error(text);
  engine.report(session.session_id, { kind: 'media', state: 'connected' });
};

/** Connects to the session's results socket; resolves after `ready`. */
export const listen = async ({ results_url, token }: NewSession): Promise<ResultsClient> => {
  const client = connectResults(`${results_url}&token=${token}`);
  await client.waitFor(({ type }) => type === 'ready');
  return client;
};

const Ended = t.type({
  session_id: t.string,
  status: t.literal('ended'),
  duration_seconds: t.number,
  credits_charged: t.number,
});

export const endedOf = (answer: HttpAnswer): t.TypeOf<typeof Ended> => bodyOf(Ended, answer);
