import * as E from 'fp-ts/lib/Either.js';
import { keyedQueue } from '../../../../application/queue-and-backoff.js';
import type { EngineReport } from '../../../../application/ports/realtime-engine.js';
import { type OpusDecoders, opusDecoders } from '../opus-decoders.js';
import type { Answer, PeerOptions, ThreadMessage, ThreadRequest, ThreadTask } from '../media-thread-handle.js';
import { type MediaSession, mediaSession } from './media-session.js';
import { parentPort } from 'node:worker_threads';

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

const send = (message: ThreadMessage): void => parentPort?.postMessage(message, []);
const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
const sendFault = (error: unknown): void => send({ kind: 'fault', reason: reasonOf(error) });
// A packet that breaks one session's connection must not end the other sessions.
process.on('uncaughtException', sendFault);
process.on('unhandledRejection', sendFault);

const done: Answer = { kind: 'done', sdp: '' };

const answerTo = async (sessions: ReturnType<typeof mediaSessions>, task: ThreadTask): Promise<Answer> => {
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

parentPort?.once('message', (options: PeerOptions) => {
  const sessions = mediaSessions(options, opusDecoders(), (session, report) =>
    send({ kind: 'report', session, report }),
  );
  parentPort?.on('message', ({ request, task }: ThreadRequest) => {
    void answerTo(sessions, task)
      .catch(failed)
      .then((answer) => send({ kind: 'answer', request, answer }));
  });
});
