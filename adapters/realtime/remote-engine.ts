import * as t from 'io-ts';
import {
  type EngineUnavailable,
  type InvalidIceCandidate,
  type InvalidSdp,
  type RealtimeEngine,
  EngineReport,
} from '../../application/ports/realtime-engine.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import { parsedJson } from '../runtime/json.js';
import { textAtMost } from '../runtime/memory.js';

const defaultTimeoutMs = 5_000;
const negotiationTimeoutMs = 15_000;
/** Longer than any answer. */
const maxAnswerBytes = 2 * 1_024 * 1_024;
/** In characters. */
const maxReasonLength = 200;
/** Far longer than any report, in characters. */
const maxLineLength = 64 * 1_024;

const OfferAnswer = t.type({ sdp: t.string });

const unavailable = (reason: string): EngineUnavailable => ({ _tag: 'EngineUnavailable', reason });

interface Request<Refused> {
  readonly body?: object;
  /** What a status of 400 means, with the reason in the answer. */
  readonly refused?: (reason: string) => Refused;
  readonly timeoutMs?: number;
}

/** Sends requests to the engine at an address. docs/realtime.md describes the endpoints that an engine has to serve. */
const requester =
  (url: string) =>
  <Refused = never>(
    method: string,
    path: string,
    { body, refused, timeoutMs = defaultTimeoutMs }: Request<Refused> = {},
  ): TE.TaskEither<Refused | EngineUnavailable, string> =>
  async () => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });
      const text = await textAtMost(response, maxAnswerBytes);
      const { ok, status } = response;
      // What is to be deleted may be gone.
      if (ok || (method === 'DELETE' && status === 404)) return E.right(text);
      return status === 400 && refused !== undefined
        ? E.left(refused(text.replace(/\s+/g, ' ').slice(0, maxReasonLength)))
        : E.left(unavailable(`the engine answered ${status}`));
    } catch {
      return E.left(unavailable('the engine did not answer'));
    }
  };

const sdpIn = (text: string): E.Either<EngineUnavailable, { readonly sdp: string }> =>
  E.fromPredicate(OfferAnswer.is, () => unavailable('the answer of the engine has no sdp'))(parsedJson(text));

const parseReport = (line: string): EngineReport => {
  const report = EngineReport.decode(parsedJson(line));
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
      const { body, ok } = await fetch(`${url}/sessions/${session}/reports`, { signal: stop.signal });
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

const toVoid = TE.map(() => undefined);

/** An analysis engine that is reached over HTTP. Requests are not retried. */
export const remoteEngine = (address: string): RealtimeEngine => {
  const url = address.replace(/\/+$/, '');
  const request = requester(url);
  const reports = reportStreams(url);
  const close: RealtimeEngine['close'] = (session) => {
    reports.stop(session);
    return toVoid(request('DELETE', `/sessions/${session}`));
  };
  return {
    health: () => toVoid(request('GET', '/health')),
    negotiate: (session, sdp, report) =>
      pipe(
        request('POST', `/sessions/${session}/offer`, {
          body: { sdp },
          refused: (reason): InvalidSdp => ({ _tag: 'InvalidSdp', reason }),
          timeoutMs: negotiationTimeoutMs,
        }),
        TE.chainEitherKW(sdpIn),
        TE.chainFirstIOK(() => () => reports.start(session, report)),
      ),
    addCandidate: (session, candidate) =>
      toVoid(
        request('POST', `/sessions/${session}/candidates`, {
          body: candidate,
          refused: (reason): InvalidIceCandidate => ({ _tag: 'InvalidIceCandidate', reason }),
        }),
      ),
    close,
    shutDown: async () => {
      await Promise.all(reports.stopAll().map((session) => close(session)()));
    },
  };
};
