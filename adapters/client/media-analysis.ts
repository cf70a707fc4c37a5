import { apiOf } from './bind.js';
import type { Api, MatchRun } from './interface.js';
import type { CallOptions } from './request.js';
import type { ResultsAddress, ResultsPatience, WebSocketConstructor } from './results.js';
import type { ResultsFrame } from './results-frame.js';
import { pause } from './send.js';
import { type ClientOptions, Transport } from './transport.js';

/** A run whose end can be waited for, as what triggers it answers. */
export interface RunAddress {
  readonly video_id: string;
  readonly run_id: string;
}

type ReadOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>;

const longestWait_seconds = 25;
const shortestRound_ms = 500;

/** How long one question may wait for a run, so that its answer comes well before the attempt's end. */
const waitWithin = (timeoutMs: number): number =>
  Math.floor(Math.min(longestWait_seconds * 1_000, timeoutMs / 2)) / 1_000;

/** Loaded when it is asked for: a program that reads no results needs none of it. */
const resultsFrom = async function* (
  webSocket: WebSocketConstructor,
  session: ResultsAddress,
  patience: ResultsPatience,
): AsyncGenerator<ResultsFrame, void, undefined> {
  const { resultsOf } = await import('./results.js');
  yield* resultsOf<ResultsFrame>(webSocket, session, patience);
};

interface Runs {
  /**
   * The run once it is in flight no more: completed, failed, superseded, or stale where no worker answered. Asks again
   * and again, each time for the service to answer at the end of the run.
   */
  wait(run: RunAddress, options?: ReadOptions): Promise<MatchRun>;
}

interface Sessions {
  /** The frames of a session as they come, for one reader; the loop ends with the session. */
  results(session: ResultsAddress, options?: ReadOptions): AsyncGenerator<ResultsFrame, void, undefined>;
}

/**
 * A client of the service. Methods are called as the operations of its OpenAPI document; they take the parameters of
 * the path in their order, then the body or the query, then options. What was written through a client is seen by what
 * it reads later, on any instance.
 */
export class MediaAnalysis implements Api {
  declare readonly service: Api['service'];
  declare readonly accounts: Api['accounts'];
  declare readonly keys: Api['keys'];
  declare readonly me: Api['me'];
  declare readonly credits: Api['credits'];
  declare readonly retention: Api['retention'];
  declare readonly videos: Api['videos'];
  declare readonly faces: Api['faces'];
  declare readonly audios: Api['audios'];
  declare readonly speakers: Api['speakers'];
  declare readonly matches: Api['matches'];
  declare readonly decisions: Api['decisions'];
  declare readonly review: Api['review'];
  declare readonly runs: Api['runs'] & Runs;
  declare readonly names: Api['names'];
  declare readonly tags: Api['tags'];
  declare readonly tagRegistry: Api['tagRegistry'];
  declare readonly sessions: Api['sessions'] & Sessions;
  declare readonly audit: Api['audit'];

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    const api = apiOf(transport);
    const { settings } = transport;
    const wait: Runs['wait'] = async ({ video_id, run_id }, given = {}) => {
      for (;;) {
        const asked = Date.now();
        const query = { wait: waitWithin(given.timeoutMs ?? settings.timeoutMs) };
        const run = await api.runs.get(video_id, run_id, query, given);
        if (run.state !== 'in_flight') return run;
        // A service that is stopping answers at once, and so may one that does not know the parameter.
        await pause(Math.max(0, shortestRound_ms - (Date.now() - asked)), given.signal);
      }
    };
    const results: Sessions['results'] = (session, { signal, timeoutMs = settings.timeoutMs } = {}) => {
      if (settings.webSocket === undefined)
        throw new TypeError('there is no WebSocket here: give one to the client as webSocket');
      return resultsFrom(settings.webSocket, session, { timeoutMs, signal });
    };
    Object.assign(this, api, { runs: { ...api.runs, wait }, sessions: { ...api.sessions, results } });
  }
}
