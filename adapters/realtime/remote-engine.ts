import * as t from 'io-ts';
import type {
  EngineReport,
  EngineUnavailable,
  InvalidIceCandidate,
  InvalidSdp,
  RealtimeEngine,
} from '../../application/ports/realtime-engine.js';
import { Finite } from '../../domain/kernel/recorded-event.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { SessionId } from '../../domain/kernel/ids.js';

const seconds = { start: Finite, end: Finite };
const nullableNumber = t.union([Finite, t.null]);

/** A report of an engine, as a media thread posts it and as a remote engine sends it. */
export const EngineReportCodec: t.Type<EngineReport, unknown> = t.union([
  t.type({
    kind: t.literal('media'),
    state: t.keyof({ connected: null, disconnected: null, failed: null }),
  }),
  t.type({ kind: t.literal('voice_activity'), ...seconds, speaking: t.boolean, level_dbfs: Finite }),
  t.type({
    kind: t.literal('video_stats'),
    ...seconds,
    frames: Finite,
    width: nullableNumber,
    height: nullableNumber,
  }),
]);

const defaultTimeoutMs = 5_000;
const negotiationTimeoutMs = 15_000;
/** In characters. */
const maxReasonLength = 200;
/** Far longer than any report, in characters. */
const maxLineLength = 64 * 1_024;

const OfferAnswer = t.type({ sdp: t.string });

const unavailable = (reason: string): EngineUnavailable => ({ _tag: 'EngineUnavailable', reason });

interface Response {
  readonly status: number;
  readonly text: string;
}

const reasonIn = ({ text }: Response): string => text.replace(/\s+/g, ' ').slice(0, maxReasonLength);

const isOk = ({ status }: Response): boolean => status >= 200 && status < 300;

/** Sends requests to the engine at an address. docs/realtime.md describes the endpoints that an engine has to serve. */
const requester =
  (url: string) =>
  (
    method: string,
    path: string,
    body: object | null,
    timeoutMs = defaultTimeoutMs,
  ): TE.TaskEither<EngineUnavailable, Response> =>
    TE.tryCatch(
      async () => {
        const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
          method,
          signal: AbortSignal.timeout(timeoutMs),
          ...(body === null ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
        });
        return { status: response.status, text: await response.text() };
      },
      () => unavailable('the engine did not answer'),
    );

const requireSuccess = (answer: Response): E.Either<EngineUnavailable, Response> =>
  isOk(answer) ? E.right(answer) : E.left(unavailable(`the engine answered ${answer.status}`));

const sdpIn = ({ text }: Response): E.Either<EngineUnavailable, { readonly sdp: string }> =>
  pipe(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => unavailable('the answer of the engine is not JSON'),
    ),
    E.chain((json) =>
      pipe(
        OfferAnswer.decode(json),
        E.mapLeft(() => unavailable('the answer of the engine has no sdp')),
      ),
    ),
  );

const parseReport = (line: string): EngineReport => {
  const json: unknown = JSON.parse(line);
  const report = EngineReportCodec.decode(json);
  if (E.isLeft(report)) throw new TypeError('a line is not a report');
  return report.right;
};

/** The reports in a stream of JSON lines; empty lines are keep-alives. Throws at a line that is not a report. */
const readReports = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<EngineReport> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) throw new TypeError('a line is too long');
    for (const line of lines) if (line.trim() !== '') yield parseReport(line);
  }
};

/**
 * Reads the report streams of sessions until they are closed. A stream that ends or breaks means that the media failed;
 * the next offer starts it again.
 */
const reportStreams = (url: string) => {
  const open = new Map<SessionId, AbortController>();
  const read = async (session: SessionId, report: (report: EngineReport) => void): Promise<void> => {
    const stop = new AbortController();
    open.set(session, stop);
    try {
      const path = `${url.replace(/\/+$/, '')}/sessions/${session}/reports`;
      const { body, ok } = await fetch(path, { signal: stop.signal });
      if (ok && body !== null) for await (const one of readReports(body)) report(one);
    } catch {
      // Whatever went wrong, there will be no more reports.
    }
    if (stop.signal.aborted) return;
    open.delete(session);
    report({ kind: 'media', state: 'failed' });
  };
  const stop = (session: SessionId): void => {
    open.get(session)?.abort();
    open.delete(session);
  };
  return {
    start: (session: SessionId, report: (report: EngineReport) => void): void => {
      if (!open.has(session)) void read(session, report);
    },
    stop,
    stopAll: (): ReadonlyArray<SessionId> => {
      const all = [...open.keys()];
      all.forEach(stop);
      return all;
    },
  };
};

/** An analysis engine that is reached over HTTP. Requests are not retried. */
export const remoteEngine = (url: string): RealtimeEngine => {
  const request = requester(url);
  const reports = reportStreams(url);
  const close: RealtimeEngine['close'] = (session) => {
    reports.stop(session);
    return pipe(
      request('DELETE', `/sessions/${session}`, null),
      TE.chainEitherKW((answer) => (answer.status === 404 ? E.right(answer) : requireSuccess(answer))),
      TE.map(() => undefined),
    );
  };
  return {
    health: () =>
      pipe(
        request('GET', '/health', null),
        TE.chainEitherK(requireSuccess),
        TE.map(() => undefined),
      ),
    negotiate: (session, sdp, report) =>
      pipe(
        request('POST', `/sessions/${session}/offer`, { sdp }, negotiationTimeoutMs),
        TE.chainEitherKW((answer): E.Either<InvalidSdp | EngineUnavailable, Response> =>
          answer.status === 400 ? E.left({ _tag: 'InvalidSdp', reason: reasonIn(answer) }) : requireSuccess(answer),
        ),
        TE.chainEitherKW(sdpIn),
        TE.chainFirstIOK(() => () => reports.start(session, report)),
      ),
    addCandidate: (session, candidate) =>
      pipe(
        request('POST', `/sessions/${session}/candidates`, candidate),
        TE.chainEitherKW((answer): E.Either<InvalidIceCandidate | EngineUnavailable, Response> =>
          answer.status === 400
            ? E.left({ _tag: 'InvalidIceCandidate', reason: reasonIn(answer) })
            : requireSuccess(answer),
        ),
        TE.map(() => undefined),
      ),
    close,
    shutDown: async () => {
      await Promise.all(reports.stopAll().map((session) => close(session)()));
    },
  };
};
