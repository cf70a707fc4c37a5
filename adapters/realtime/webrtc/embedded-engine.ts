import { availableParallelism } from 'node:os';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';
import type {
  EngineUnavailable,
  InvalidIceCandidate,
  InvalidSdp,
  RealtimeEngine,
} from '../../../application/ports/realtime-engine.js';
import type { Answer } from './media-thread-handle.js';
import { type MediaThreads, mediaThreads } from './media-threads.js';
import type { PeerOptions } from './thread-protocol.js';

export interface EngineOptions extends Partial<PeerOptions> {
  /** The number of worker threads for media; default: one for each core. */
  readonly threads?: number;
  /** Called when a thread dies and when a fault occurs inside one. */
  readonly fault?: (reason: string) => void;
}

const defaultAnswerTimeoutMs = 10_000;

const unavailable = (reason: string): EngineUnavailable => ({ _tag: 'EngineUnavailable', reason });

/** The answer of a thread as the port has it. `refused` turns the reason of a refusal into the port's error. */
const outcome =
  <R>(
    send: () => Promise<Answer>,
    refused: (reason: string) => R,
  ): TE.TaskEither<R | EngineUnavailable, { readonly sdp: string }> =>
  async () => {
    const answer = await send();
    switch (answer.kind) {
      case 'done':
        return E.right({ sdp: answer.sdp });
      case 'refused':
        return E.left(refused(answer.reason));
      case 'lost':
        return E.left(unavailable(answer.reason));
    }
  };

const peerOptionsOf = (options: EngineOptions): PeerOptions => ({
  iceServers: options.iceServers ?? [],
  additionalAddresses: options.additionalAddresses ?? [],
  relayOnly: options.relayOnly ?? false,
  answerTimeoutMs: options.answerTimeoutMs ?? defaultAnswerTimeoutMs,
  ...(options.portRange === undefined ? {} : { portRange: options.portRange }),
});

const done: Answer = { kind: 'done', sdp: '' };
const toVoid = TE.map(() => undefined);

const ping = async (threads: MediaThreads): Promise<Answer> => {
  const answers = await Promise.all(threads.atLeastOne().map((thread) => thread.send({ kind: 'ping' })));
  return answers.find(({ kind }) => kind === 'lost') ?? done;
};

const close = async (threads: MediaThreads, session: string): Promise<Answer> => {
  const thread = threads.find(session);
  threads.remove(session);
  return thread === undefined ? done : thread.send({ kind: 'close', session });
};

/**
 * Terminates WebRTC inside the service and analyses the media in worker threads. Audio is Opus; frames of VP8, H.264,
 * VP9 and AV1 are counted.
 */
export const embeddedEngine = (options: EngineOptions = {}): RealtimeEngine => {
  const threads = mediaThreads(
    options.threads ?? availableParallelism(),
    peerOptionsOf(options),
    options.fault ?? (() => undefined),
  );
  let isShutDown = false;
  const unlessShutDown = (send: () => Promise<Answer>) => (): Promise<Answer> =>
    isShutDown ? Promise.resolve({ kind: 'lost', reason: 'the engine was shut down' }) : send();

  return {
    health: () =>
      toVoid(
        outcome(
          unlessShutDown(() => ping(threads)),
          unavailable,
        ),
      ),
    negotiate: (session, sdp, report) =>
      outcome(
        unlessShutDown(() => {
          const thread = threads.assign(session);
          threads.listen(session, report);
          return thread.send({ kind: 'negotiate', session, sdp, mediaStart: threads.mediaStart(session) });
        }),
        (reason): InvalidSdp => ({ _tag: 'InvalidSdp', reason }),
      ),
    addCandidate: (session, { candidate, sdp_mid: mid, sdp_m_line_index: line }) =>
      toVoid(
        outcome(
          unlessShutDown(() => threads.assign(session).send({ kind: 'candidate', session, candidate, mid, line })),
          (reason): InvalidIceCandidate => ({ _tag: 'InvalidIceCandidate', reason }),
        ),
      ),
    close: (session) =>
      toVoid(
        outcome(
          unlessShutDown(() => close(threads, session)),
          unavailable,
        ),
      ),
    shutDown: async () => {
      isShutDown = true;
      await Promise.all(threads.all().map((thread) => thread.stop()));
    },
  };
};
