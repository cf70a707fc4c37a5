import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EngineReport, EngineUnavailable, RealtimeEngine } from '../../../application/ports/realtime-engine.js';
import type { SessionId } from '../../../domain/kernel/ids.js';

/** An engine that reports what a test tells it to: for all that is not about media itself. */
export interface ScriptedEngine extends RealtimeEngine {
  /** Reports of a session, as if its media did this. */
  readonly report: (session: string, report: EngineReport) => void;
  /** From now on it can or cannot be reached. */
  readonly reachable: (is: boolean) => void;
  /** The sessions that it was told to close. */
  readonly closed: ReadonlyArray<string>;
}

const away: EngineUnavailable = { _tag: 'EngineUnavailable', reason: 'a test took it away' };

export const scriptedEngine = (): ScriptedEngine => {
  const reports = new Map<SessionId | string, (report: EngineReport) => void>();
  const closed: string[] = [];
  let isReachable = true;
  const asked = <Refused, Result>(
    answer: TE.TaskEither<Refused, Result>,
  ): TE.TaskEither<Refused | EngineUnavailable, Result> =>
    TE.flatten(
      TE.fromIO<TE.TaskEither<Refused | EngineUnavailable, Result>, Refused | EngineUnavailable>(() =>
        isReachable ? answer : TE.left(away),
      ),
    );
  return {
    closed,
    reachable: (is) => void (isReachable = is),
    report: (session, report) => {
      const told = reports.get(session);
      if (told === undefined) throw new Error(`nothing was negotiated for ${session}`);
      told(report);
    },
    health: () => asked(TE.right(undefined)),
    negotiate: (session, sdp, report) =>
      asked(
        sdp.startsWith('v=0')
          ? TE.fromIO(() => {
              reports.set(session, report);
              return { sdp: `${sdp}a=answered\r\n` };
            })
          : TE.left({ _tag: 'InvalidSdp' as const, reason: 'it does not begin with v=0' }),
      ),
    addCandidate: (_session, { candidate }) =>
      asked(
        candidate === '' || candidate.startsWith('candidate:')
          ? TE.right(undefined)
          : TE.left({ _tag: 'InvalidIceCandidate' as const, reason: 'it does not begin with candidate:' }),
      ),
    close: (session) =>
      TE.fromIO(() => {
        reports.delete(session);
        closed.push(session);
      }),
    shutDown: async () => undefined,
  };
};
