import * as E from 'fp-ts/lib/Either.js';
import { keyedQueue } from '../../../../application/waiting.js';
import type { EngineReport } from '../../../../application/ports/realtime-engine.js';
import { type OpusDecoders, opusDecoders } from '../audio/opus-decoders.js';
import { type Answer, type ThreadMessage, type ThreadTask, PeerOptions, ThreadRequest } from '../thread-protocol.js';
import { type MediaSession, mediaSession } from './media-session.js';
import { parentPort, workerData } from 'node:worker_threads';

const tickMs = 50;

/** The sessions of one thread. A session is created by its first request; its requests run one after the other. */
const mediaSessions = (
  options: PeerOptions,
  decoders: OpusDecoders,
  report: (id: string, report: EngineReport) => void,
) => {
  const sessions = new Map<string, MediaSession>();
  const queue = keyedQueue();
  setInterval(() => {
    const now = performance.now();
    for (const session of sessions.values()) session.advance(now);
  }, tickMs);

  const sessionOf = (id: string): MediaSession => {
    const existing = sessions.get(id);
    if (existing !== undefined) return existing;
    const created = mediaSession(options, decoders, (one) => report(id, one));
    sessions.set(id, created);
    return created;
  };
  const close = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    if (session !== undefined) await queue.run(id, session.close)();
  };

  return {
    /** Runs work on a session when its turn comes. */
    run: <Result>(id: string, work: (session: MediaSession) => Promise<Result>): Promise<Result> => {
      const session = sessionOf(id);
      return queue.run(id, () => work(session))();
    },
    close,
    closeAll: () => Promise.all([...sessions.keys()].map(close)),
  };
};

/* The script of a media thread: it serves the sessions that the main thread asks for by messages. */

interface SessionReport {
  readonly session: string;
  readonly report: EngineReport;
}

/** How long a report may wait to be sent together with others. */
const maxBatchDelayMs = 25;

/** Sends reports in batches, in order: a message between threads costs more than its content. */
const reportBatches = (send: (batch: SessionReport[]) => void) => {
  let pending: SessionReport[] = [];
  const flush = (): void => {
    if (pending.length === 0) return;
    const batch = pending;
    pending = [];
    send(batch);
  };
  return {
    add: (report: SessionReport): void => {
      if (pending.length === 0) setTimeout(flush, maxBatchDelayMs);
      pending.push(report);
    },
    flush,
  };
};

const send = (message: ThreadMessage): void => parentPort?.postMessage(message, []);
const reports = reportBatches((batch) => send({ kind: 'reports', reports: batch }));
/** Sends a message after the reports that were made before it. */
const sendInOrder = (message: ThreadMessage): void => {
  reports.flush();
  send(message);
};
const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
const sendFault = (error: unknown): void => sendInOrder({ kind: 'fault', reason: reasonOf(error) });
// A packet that breaks one session's connection must not end the other sessions.
process.on('uncaughtException', sendFault);
process.on('unhandledRejection', sendFault);

const options = PeerOptions.decode(workerData);
if (E.isLeft(options)) throw new Error('a media thread was started without its options');

const sessions = mediaSessions(options.right, opusDecoders(), (session, report) => reports.add({ session, report }));

const done: Answer = { kind: 'done', sdp: '' };

const answerTo = async (task: ThreadTask): Promise<Answer> => {
  switch (task.kind) {
    case 'negotiate': {
      const mediaStart = task.mediaStart === null ? null : task.mediaStart - performance.timeOrigin;
      const answer = await sessions.run(task.session, ({ negotiate }) => negotiate(task.sdp, mediaStart));
      return E.isLeft(answer) ? { kind: 'refused', reason: answer.left } : { kind: 'done', sdp: answer.right };
    }
    case 'candidate': {
      const reason = await sessions.run(task.session, ({ addCandidate }) => addCandidate(task));
      return reason === undefined ? done : { kind: 'refused', reason };
    }
    case 'close':
      await sessions.close(task.session);
      return done;
    case 'ping':
      return done;
    case 'stop':
      await sessions.closeAll();
      return done;
  }
};

const failed = (error: unknown): Answer => {
  sendFault(error);
  return { kind: 'lost', reason: reasonOf(error) };
};

parentPort?.on('message', (message: unknown) => {
  const decoded = ThreadRequest.decode(message);
  if (E.isLeft(decoded)) return;
  const { request, task } = decoded.right;
  void answerTo(task)
    .catch(failed)
    .then((answer) => sendInOrder({ kind: 'answer', request, answer }));
});
