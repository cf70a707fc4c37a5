import { availableParallelism } from 'node:os';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';
import type {
  EngineUnavailable,
  InvalidIceCandidate,
  InvalidSdp,
  RealtimeEngine,
} from '../../../application/ports/realtime-engine.js';
import type { EngineOptions, PeerOptions } from './engine-options.js';
import type { Answer } from './media-thread-handle.js';
import { type MediaThreads, mediaThreads } from './media-threads.js';

const answerWithinByDefault = 10_000;

const unavailable = (reason: string): EngineUnavailable => ({ _tag: 'EngineUnavailable', reason });

/** An answer as the port has it; a refusal becomes what `refused` makes of it. */
const outcome = <R>(
  asked: () => Promise<Answer>,
  refused: (reason: string) => R,
): TE.TaskEither<R | EngineUnavailable, { readonly sdp: string }> => {
  return async () => {
    const answer = await asked();
    switch (answer.kind) {
      case 'done':
        return E.right({ sdp: answer.sdp });
      case 'refused':
        return E.left(refused(answer.reason));
      case 'lost':
        return E.left(unavailable(answer.reason));
    }
  };
};

const peerOptionsOf = (options: EngineOptions): PeerOptions => ({
  iceServers: options.iceServers ?? [],
  additionalAddresses: options.additionalAddresses ?? [],
  relayOnly: options.relayOnly ?? false,
  answerWithin: options.answerWithin ?? answerWithinByDefault,
  ...(options.portRange === undefined ? {} : { portRange: options.portRange }),
});

const done: Answer = { kind: 'done', sdp: '' };
const nothing = TE.map(() => undefined);

const ping = async (threads: MediaThreads): Promise<Answer> => {
  const answers = await Promise.all(threads.atLeastOne().map((thread) => thread.ask({ ask: 'ping' })));
  return answers.find(({ kind }) => kind === 'lost') ?? done;
};

const close = async (threads: MediaThreads, session: string): Promise<Answer> => {
  const thread = threads.find(session);
  threads.forget(session);
  return thread === undefined ? done : thread.ask({ ask: 'close', session });
};

/**
 * Terminates WebRTC inside the service and analyses the media, in worker threads. Sound is Opus; pictures of VP8,
 * H.264, VP9 and AV1 are counted.
 */
export const embeddedEngine = (options: EngineOptions = {}): RealtimeEngine => {
  const threads = mediaThreads(
    options.threads ?? availableParallelism(),
    peerOptionsOf(options),
    options.fault ?? (() => undefined),
  );
  let over = false;
  const working = (ask: () => Promise<Answer>) => (): Promise<Answer> =>
    over ? Promise.resolve({ kind: 'lost', reason: 'the engine was shut down' }) : ask();

  return {
    health: () =>
      nothing(
        outcome(
          working(() => ping(threads)),
          unavailable,
        ),
      ),
    negotiate: (session, sdp, report) =>
      outcome(
        working(() => {
          const thread = threads.assign(session);
          threads.listen(session, report);
          return thread.ask({ ask: 'negotiate', session, sdp });
        }),
        (reason): InvalidSdp => ({ _tag: 'InvalidSdp', reason }),
      ),
    addCandidate: (session, { candidate, sdp_mid: mid, sdp_m_line_index: line }) =>
      nothing(
        outcome(
          working(() => threads.assign(session).ask({ ask: 'candidate', session, candidate, mid, line })),
          (reason): InvalidIceCandidate => ({ _tag: 'InvalidIceCandidate', reason }),
        ),
      ),
    close: (session) =>
      nothing(
        outcome(
          working(() => close(threads, session)),
          unavailable,
        ),
      ),
    shutDown: async () => {
      over = true;
      await Promise.all(threads.all().map((thread) => thread.end()));
    },
  };
};
