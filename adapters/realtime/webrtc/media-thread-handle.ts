import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import type { PeerOptions } from './engine-options.js';
import { type Ask, Tell } from './messages.js';
import { compiledScript } from '../../runtime/package-files.js';

/** What is asked, without the number that finds the answer. */
export type Question = Ask extends infer A
  ? A extends { readonly request: number }
    ? Omit<A, 'request'>
    : never
  : never;

export type Answer =
  | { readonly kind: 'done'; readonly sdp: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

export interface MediaThread {
  readonly ask: (question: Question) => Promise<Answer>;
  readonly end: () => Promise<void>;
}

export interface ThreadEvents {
  readonly report: (session: string, report: EngineReport) => void;
  readonly fault: (reason: string) => void;
  readonly died: (reason: string) => void;
}

const mostMegabytes = 1_024;

/** Finds the answers to numbered questions; each gets one in time. */
const questions = (answerWithin: number) => {
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  const settle = (request: number, answer: Answer): void => {
    const waiter = waiting.get(request);
    waiting.delete(request);
    waiter?.(answer);
  };
  return {
    settle,
    ask: (send: (request: number) => void): Promise<Answer> =>
      new Promise((resolve) => {
        asked += 1;
        const request = asked;
        const late = setTimeout(
          () => settle(request, { kind: 'lost', reason: 'the media thread did not answer in time' }),
          answerWithin,
        );
        waiting.set(request, (answer) => {
          clearTimeout(late);
          resolve(answer);
        });
        send(request);
      }),
    lose: (reason: string): void => {
      for (const request of waiting.keys()) settle(request, { kind: 'lost', reason });
    },
  };
};

/** Starts a media thread. `died` is told once when it ends by itself; questions under way are then lost. */
export const startMediaThread = (options: PeerOptions, events: ThreadEvents): MediaThread => {
  const open = questions(options.answerWithin);
  let over = false;
  const worker = new Worker(compiledScript('realtime/webrtc/worker/media-thread.js'), {
    workerData: options,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  /* Decoders print what they cannot read; a client must not be able to fill a log. */
  worker.stdout.resume();
  worker.stderr.resume();

  const ended = (reason: string): void => {
    if (over) return;
    over = true;
    open.lose(reason);
    events.died(reason);
  };
  worker.on('message', (message: unknown) => {
    const told = Tell.decode(message);
    if (E.isLeft(told)) return;
    const { right } = told;
    switch (right.tell) {
      case 'done':
        return open.settle(right.request, { kind: 'done', sdp: right.sdp });
      case 'refused':
        return open.settle(right.request, { kind: 'refused', reason: right.reason });
      case 'reports':
        for (const { session, report } of right.reports) events.report(session, report);
        return;
      case 'failed':
        return open.settle(right.request, { kind: 'lost', reason: right.reason });
      case 'fault':
        return events.fault(right.reason);
    }
  });
  worker.on('error', (error) => ended(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => ended(`the media thread ended with code ${code}`));

  const ask = async (question: Question): Promise<Answer> =>
    over
      ? { kind: 'lost', reason: 'the media thread has ended' }
      : open.ask((request) => worker.postMessage({ ...question, request }, []));

  return {
    ask,
    end: async () => {
      await ask({ ask: 'stop' });
      over = true;
      await worker.terminate();
    },
  };
};
