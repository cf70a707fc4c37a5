import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import { Worker } from 'node:worker_threads';
import { waitAtMost } from '../../runtime/clock.js';
import { compiledScript } from '../../runtime/package-files.js';

/** The options of the service's side of peer connections. A media thread gets them as its first message. */
export interface PeerOptions {
  /** STUN and TURN servers for the service's own side. None are needed where clients can reach it directly. */
  readonly iceServers: Array<{ urls: string; username?: string; credential?: string }>;
  /** Addresses to offer in addition to those of the network interfaces, such as loopback. */
  readonly additionalAddresses: string[];
  /** Offer relayed addresses only. */
  readonly relayOnly: boolean;
  /** How long a thread may take to answer a request. */
  readonly answerTimeoutMs: number;
  /** The UDP ports to use, first and last. */
  readonly portRange?: [number, number];
}

/** A candidate that a client sent after its offer, for the media section with this mid or index. */
export interface Trickled {
  readonly candidate: string;
  readonly mid: string | null;
  readonly line: number | null;
}

/** What the main thread asks of a media thread. `mediaStart`: when the session's first media came, on another thread. */
export type ThreadTask =
  | { readonly kind: 'negotiate'; readonly session: string; readonly sdp: string; readonly mediaStart: number | null }
  | ({ readonly kind: 'candidate'; readonly session: string } & Trickled)
  | { readonly kind: 'close'; readonly session: string }
  | { readonly kind: 'ping' | 'stop' };

/** `lost`: the thread has ended, failed or did not answer in time. */
export type Answer =
  | { readonly kind: 'done'; readonly sdp: string }
  | { readonly kind: 'refused' | 'lost'; readonly reason: string };

/** A request to a media thread; its answer repeats the number. */
export interface ThreadRequest {
  readonly request: number;
  readonly task: ThreadTask;
}

/** A message from a media thread: the answer to a request, a report of a session, or a fault. */
export type ThreadMessage =
  | { readonly kind: 'answer'; readonly request: number; readonly answer: Answer }
  | { readonly kind: 'report'; readonly session: string; readonly report: EngineReport }
  | { readonly kind: 'fault'; readonly reason: string };

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
