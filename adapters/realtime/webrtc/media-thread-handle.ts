import { Worker } from 'node:worker_threads';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import type { Answer, PeerOptions, ThreadMessage, ThreadRequest, ThreadTask } from './thread-protocol.js';
import { waitAtMost } from '../../runtime/clock.js';
import { compiledScript } from '../../runtime/package-files.js';

export interface MediaThread {
  readonly send: (task: ThreadTask) => Promise<Answer>;
  /** Closes all sessions of the thread and terminates it. */
  readonly stop: () => Promise<void>;
}

interface ThreadEvents {
  readonly report: (session: string, report: EngineReport) => void;
  readonly fault: (reason: string) => void;
  /** Called once when the thread ends without having been stopped. */
  readonly ended: (reason: string) => void;
}

const maxHeapMegabytes = 1_024;

const lost = (reason: string): Answer => ({ kind: 'lost', reason });

/** Starts a media thread. When it dies, its pending requests are lost. */
export const startMediaThread = (options: PeerOptions, events: ThreadEvents): MediaThread => {
  const pending = new Map<number, (answer: Answer) => void>();
  let lastRequest = 0;
  let hasEnded = false;
  const worker = new Worker(compiledScript('realtime/webrtc/worker/media-thread.js'), {
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
    for (const answer of pending.values()) answer(lost(reason));
    events.ended(reason);
  };
  worker.postMessage(options, []);
  worker.on('message', (message: ThreadMessage) => {
    switch (message.kind) {
      case 'answer':
        return pending.get(message.request)?.(message.answer);
      case 'report':
        return events.report(message.session, message.report);
      case 'fault':
        return events.fault(message.reason);
    }
  });
  worker.on('error', (error) => ended(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => ended(`the media thread ended with code ${code}`));

  const send = async (task: ThreadTask): Promise<Answer> => {
    if (hasEnded) return lost('the media thread has ended');
    lastRequest += 1;
    const request = lastRequest;
    const answered = new Promise<Answer>((resolve) => {
      pending.set(request, resolve);
    });
    const message: ThreadRequest = { request, task };
    worker.postMessage(message, []);
    const answer = await waitAtMost(answered, options.answerTimeoutMs);
    pending.delete(request);
    return answer ?? lost('the media thread did not answer in time');
  };
  return {
    send,
    stop: async () => {
      await send({ kind: 'stop' });
      hasEnded = true;
      await worker.terminate();
    },
  };
};
