import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import { type PeerOptions, ThreadMessage, type ThreadRequest } from './thread-protocol.js';
import { compiledScript } from '../../runtime/package-files.js';

/** A request before it has its number. */
type NewRequest = ThreadRequest extends infer R
  ? R extends { readonly request: number }
    ? Omit<R, 'request'>
    : never
  : never;

/** `lost`: the thread has ended, failed or did not answer in time. */
export type Answer =
  | { readonly kind: 'done'; readonly sdp: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

export interface MediaThread {
  readonly send: (request: NewRequest) => Promise<Answer>;
  /** Closes all sessions of the thread and terminates it. */
  readonly stop: () => Promise<void>;
}

export interface ThreadEvents {
  readonly report: (session: string, report: EngineReport) => void;
  readonly fault: (reason: string) => void;
  /** Called once when the thread ends without having been stopped. */
  readonly ended: (reason: string) => void;
}

const maxHeapMegabytes = 1_024;

/** Matches answers to pending requests by number. A request without an answer in time is lost. */
const pendingRequests = (timeoutMs: number) => {
  const pending = new Map<number, (answer: Answer) => void>();
  let lastNumber = 0;
  const resolve = (request: number, answer: Answer): void => {
    const waiting = pending.get(request);
    pending.delete(request);
    waiting?.(answer);
  };
  return {
    resolve,
    send: (post: (request: number) => void): Promise<Answer> =>
      new Promise((resolved) => {
        lastNumber += 1;
        const request = lastNumber;
        const timer = setTimeout(
          () => resolve(request, { kind: 'lost', reason: 'the media thread did not answer in time' }),
          timeoutMs,
        );
        pending.set(request, (answer) => {
          clearTimeout(timer);
          resolved(answer);
        });
        post(request);
      }),
    loseAll: (reason: string): void => {
      for (const request of pending.keys()) resolve(request, { kind: 'lost', reason });
    },
  };
};

/** Starts a media thread. When it dies, its pending requests are lost. */
export const startMediaThread = (options: PeerOptions, events: ThreadEvents): MediaThread => {
  const requests = pendingRequests(options.answerTimeoutMs);
  let hasEnded = false;
  const worker = new Worker(compiledScript('realtime/webrtc/worker/media-thread.js'), {
    workerData: options,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  /* Decoders print what they cannot read; it is discarded, so that a client cannot fill the log. */
  worker.stdout.resume();
  worker.stderr.resume();

  const ended = (reason: string): void => {
    if (hasEnded) return;
    hasEnded = true;
    requests.loseAll(reason);
    events.ended(reason);
  };
  worker.on('message', (raw: unknown) => {
    const decoded = ThreadMessage.decode(raw);
    if (E.isLeft(decoded)) return;
    const message = decoded.right;
    switch (message.kind) {
      case 'done':
        return requests.resolve(message.request, { kind: 'done', sdp: message.sdp });
      case 'refused':
        return requests.resolve(message.request, { kind: 'refused', reason: message.reason });
      case 'failed':
        return requests.resolve(message.request, { kind: 'lost', reason: message.reason });
      case 'reports':
        for (const { session, report } of message.reports) events.report(session, report);
        return;
      case 'fault':
        return events.fault(message.reason);
    }
  });
  worker.on('error', (error) => ended(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => ended(`the media thread ended with code ${code}`));

  const send = async (request: NewRequest): Promise<Answer> =>
    hasEnded
      ? { kind: 'lost', reason: 'the media thread has ended' }
      : requests.send((number) => worker.postMessage({ ...request, request: number }, []));

  return {
    send,
    stop: async () => {
      await send({ kind: 'stop' });
      hasEnded = true;
      await worker.terminate();
    },
  };
};
