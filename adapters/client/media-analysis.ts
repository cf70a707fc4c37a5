import { apiOf } from './bind.js';
import type { Api, MatchRun, ResultsFrame } from './interface.js';
import type { CallOptions } from './request.js';
import { type ResultsAddress, resultsOf } from './results.js';
import { pause } from './send.js';
import { type ClientOptions, Transport } from './transport.js';

/** A match run, as returned by its trigger. */
export interface RunAddress {
  readonly video_id: string;
  readonly run_id: string;
}

type ReadOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>;

const maxWaitSeconds = 25;
const minPollMs = 500;

/** How long one long poll may wait, so that it is answered well before the timeout. */
const waitWithin = (timeoutMs: number): number => Math.floor(Math.min(maxWaitSeconds * 1_000, timeoutMs / 2)) / 1_000;

interface Runs {
  /**
   * Waits until the run is no longer in flight: completed, failed, superseded, or stale if no worker answered. Uses long
   * polling.
   */
  wait(run: RunAddress, options?: ReadOptions): Promise<MatchRun>;
}

interface Sessions {
  /** The frames of a session as they arrive, for one reader. The loop ends with the session. */
  results(session: ResultsAddress, options?: ReadOptions): AsyncGenerator<ResultsFrame, void, undefined>;
}

/**
 * A client of the service. The methods have the names of the operations in the OpenAPI document. They take the path
 * parameters in order, then the body or the query, then options. Reads include everything that this client has written,
 * on any instance of the service.
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
        // A service that is stopping answers at once.
        await pause(Math.max(0, minPollMs - (Date.now() - asked)), given.signal);
      }
    };
    const results: Sessions['results'] = (session, { signal, timeoutMs = settings.timeoutMs } = {}) => {
      if (settings.webSocket === undefined)
        throw new TypeError('this platform has no WebSocket: pass one to the client as webSocket');
      return resultsOf(settings.webSocket, session, { timeoutMs, signal });
    };
    Object.assign(this, api, { runs: { ...api.runs, wait }, sessions: { ...api.sessions, results } });
  }
}
