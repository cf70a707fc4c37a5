import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EngineReport, EngineUnavailable, RealtimeEngine } from '../../../application/ports/realtime-engine.js';
import type { SessionId } from '../../../domain/kernel/ids.js';

/** An engine whose reports come from the test, for tests that need no real media. */
export interface ScriptedEngine extends RealtimeEngine {
  /** Sends a report of a session, as if its media had caused it. */
  readonly report: (session: string, report: EngineReport) => void;
  /** Makes the engine reachable or not. */
  readonly reachable: (is: boolean) => void;
  /** The sessions that were closed. */
  readonly closed: ReadonlyArray<string>;
}

const unreachable: EngineUnavailable = { _tag: 'EngineUnavailable', reason: 'a test made it unreachable' };

export const scriptedEngine = (): ScriptedEngine => {
  const reports = new Map<SessionId | string, (report: EngineReport) => void>();
  const closed: string[] = [];
  let isReachable = true;
  const whenReachable =
    <Refused, Result>(answer: () => E.Either<Refused, Result>): TE.TaskEither<Refused | EngineUnavailable, Result> =>
    async () =>
      isReachable ? answer() : E.left(unreachable);
  return {
    closed,
    reachable: (is) => void (isReachable = is),
    report: (session, report) => {
      const onReport = reports.get(session);
      if (onReport === undefined) throw new Error(`nothing was negotiated for ${session}`);
      onReport(report);
    },
    health: () => whenReachable(() => E.right(undefined)),
    negotiate: (session, sdp, report) =>
      whenReachable(() => {
        if (!sdp.startsWith('v=0')) return E.left({ _tag: 'InvalidSdp', reason: 'it does not begin with v=0' });
        reports.set(session, report);
        return E.right({ sdp: `${sdp}a=answered\r\n` });
      }),
    addCandidate: (_session, { candidate }) =>
      whenReachable(() =>
        candidate === '' || candidate.startsWith('candidate:')
          ? E.right(undefined)
          : E.left({ _tag: 'InvalidIceCandidate', reason: 'it does not begin with candidate:' }),
      ),
    close: (session) =>
      TE.fromIO(() => {
        reports.delete(session);
        closed.push(session);
      }),
    shutDown: async () => undefined,
  };
};
