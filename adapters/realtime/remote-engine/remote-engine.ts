import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type {
  EngineReport,
  EngineUnavailable,
  InvalidIceCandidate,
  InvalidSdp,
  RealtimeEngine,
} from '../../../application/ports/realtime-engine.js';
import type { SessionId } from '../../../domain/kernel/ids.js';
import { EngineAnswer } from './protocol.js';
import { reportLines } from './report-lines.js';

const timeout_ms = 5_000;
const health_ms = 5_000;
const negotiation_ms = 15_000;
const longestReason = 200;

const unavailable = (reason: string): EngineUnavailable => ({ _tag: 'EngineUnavailable', reason });

interface Answer {
  readonly status: number;
  readonly text: string;
}

const reasonIn = ({ text }: Answer): string => text.replace(/\s+/g, ' ').slice(0, longestReason);

const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Speaks to an engine at an address; see docs/realtime.md for what it has to serve. */
const caller =
  (url: string) =>
  (
    method: string,
    path: string,
    body: object | null,
    limit_ms = timeout_ms,
  ): TE.TaskEither<EngineUnavailable, Answer> =>
    TE.tryCatch(
      async () => {
        const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
          method,
          signal: AbortSignal.timeout(limit_ms),
          ...(body === null ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
        });
        return { status: response.status, text: await response.text() };
      },
      () => unavailable('the engine did not answer'),
    );

const accepted = (answer: Answer): E.Either<EngineUnavailable, Answer> =>
  isOk(answer) ? E.right(answer) : E.left(unavailable(`the engine answered ${answer.status}`));

const sdpIn = ({ text }: Answer): E.Either<EngineUnavailable, { readonly sdp: string }> =>
  pipe(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => unavailable('the engine answered no JSON'),
    ),
    E.chain((json) =>
      pipe(
        EngineAnswer.decode(json),
        E.mapLeft(() => unavailable('the engine answered without sdp')),
      ),
    ),
  );

/** Follows the reports of sessions, each until it is closed; a stream that breaks means that the media is lost. */
const follower = (url: string) => {
  const following = new Map<SessionId, AbortController>();
  const follow = async (session: SessionId, report: (report: EngineReport) => void): Promise<void> => {
    const stop = new AbortController();
    following.set(session, stop);
    try {
      const path = `${url.replace(/\/+$/, '')}/sessions/${session}/reports`;
      const { body, ok } = await fetch(path, { signal: stop.signal });
      if (ok && body !== null) for await (const one of reportLines(body)) report(one);
    } catch {
      // Whatever went wrong, there will be no more reports.
    }
    if (!stop.signal.aborted) report({ kind: 'media', state: 'failed' });
  };
  const stop = (session: SessionId): void => {
    following.get(session)?.abort();
    following.delete(session);
  };
  return {
    follow: (session: SessionId, report: (report: EngineReport) => void): void => {
      if (!following.has(session)) void follow(session, report);
    },
    stop,
    stopAll: (): ReadonlyArray<SessionId> => {
      const all = [...following.keys()];
      all.forEach(stop);
      return all;
    },
  };
};

/** An analysis engine that is reached over HTTP. Nothing is sent twice. */
export const remoteEngine = (url: string): RealtimeEngine => {
  const call = caller(url);
  const { follow, stop, stopAll } = follower(url);
  const close: RealtimeEngine['close'] = (session) => {
    stop(session);
    return pipe(
      call('DELETE', `/sessions/${session}`, null),
      TE.chainEitherKW((answer) => (answer.status === 404 ? E.right(answer) : accepted(answer))),
      TE.map(() => undefined),
    );
  };
  return {
    health: () =>
      pipe(
        call('GET', '/health', null, health_ms),
        TE.chainEitherK(accepted),
        TE.map(() => undefined),
      ),
    negotiate: (session, sdp, report) =>
      pipe(
        call('POST', `/sessions/${session}/offer`, { sdp }, negotiation_ms),
        TE.chainEitherKW((answer): E.Either<InvalidSdp | EngineUnavailable, Answer> =>
          answer.status === 400 ? E.left({ _tag: 'InvalidSdp', reason: reasonIn(answer) }) : accepted(answer),
        ),
        TE.chainEitherKW(sdpIn),
        TE.chainFirstIOK(() => () => follow(session, report)),
      ),
    addCandidate: (session, candidate) =>
      pipe(
        call('POST', `/sessions/${session}/candidates`, candidate),
        TE.chainEitherKW((answer): E.Either<InvalidIceCandidate | EngineUnavailable, Answer> =>
          answer.status === 400 ? E.left({ _tag: 'InvalidIceCandidate', reason: reasonIn(answer) }) : accepted(answer),
        ),
        TE.map(() => undefined),
      ),
    close,
    shutDown: async () => {
      await Promise.all(stopAll().map((session) => close(session)()));
    },
  };
};
