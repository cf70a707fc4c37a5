import type { Tagged } from '../../../domain/kernel/decider.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { AudioId, SessionId, VideoId } from '../../../domain/kernel/ids.js';
import {
  type Position,
  type Subject,
  audioSubject,
  sessionSubject,
  videoSubject,
} from '../../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { Performed, Uses } from '../../application.js';
import type { Failure, RevisionChanged } from '../../failures.js';
import type { RequestContext } from '../../commands/context.js';

/** The log contains unencrypted personal data, written before sealing was introduced: it cannot be erased. */
export type LogNotSealed = Tagged<'LogNotSealed'>;

/** The answer to an erasure, with the event that records it. */
export interface ErasureReceipt {
  readonly status: 'erased';
  readonly erased_at: Timestamp;
  readonly receipt: { readonly position: Position; readonly event_id: string };
}

type Answer<Refusal> = TE.TaskEither<Refusal | LogNotSealed | RevisionChanged | Failure, ErasureReceipt>;

/** The reactions to an erasure read with the key: until they are done, it is left to the reaction process. */
const destroyKey = (
  { keys, log }: Uses<'keys' | 'log'>,
  { request_id }: RequestContext,
  subject: Subject,
  { unreacted }: Performed<unknown, DomainEvent>,
): T.Task<void> =>
  unreacted === null
    ? pipe(
        keys.erase(subject),
        TE.getOrElse(({ _tag }) => {
          log.warn('a key was not destroyed; the background process will destroy it', { request_id, failure: _tag });
          return T.of<void>(undefined);
        }),
      )
    : T.of(undefined);

/**
 * Appends the event first, so that nothing is written after it; then destroys the key and what was cached with it. The
 * vault is asked before, so that nothing is stored while it is away. Once the event is stored, the caller gets its
 * receipt, which no later request could give; what failed after it is repeated by the reaction process.
 */
const erase =
  (app: Uses<'keys' | 'log'>, request: RequestContext, subject: Subject) =>
  <Refusal>(
    append: TE.TaskEither<Refusal | RevisionChanged | Failure, Performed<unknown, DomainEvent>>,
  ): Answer<Refusal> =>
    pipe(
      app.keys.isLogSealed(),
      TE.filterOrElseW(identity, () => ({ _tag: 'LogNotSealed' }) as const),
      TE.chainW(() => app.keys.isThere(subject)),
      TE.chainW(() => append),
      TE.chainFirstTaskK((performed) => destroyKey(app, request, subject, performed)),
      TE.map(({ recorded }) => {
        const [event] = recorded;
        const receipt = { position: event?.position ?? '', event_id: event?.event_id ?? '' };
        const erased_at = event?.event.type === 'MediumErased' ? event.event.data.at : request.at;
        return { status: 'erased', erased_at, receipt };
      }),
    );

/** Erases a video (DELETE). Its audio, if any, then has no parent. */
export const eraseVideo = (app: Uses<'keys' | 'log' | 'perform'>, request: RequestContext, id: VideoId) =>
  pipe(
    app.perform(request, 'videos', id, { type: 'EraseVideo', at: request.at }),
    erase(app, request, videoSubject(id)),
  );

/** Erases an audio (DELETE). Names and matches that its video took from it are removed. */
export const eraseAudio = (app: Uses<'keys' | 'log' | 'perform'>, request: RequestContext, id: AudioId) =>
  pipe(
    app.perform(request, 'audios', id, { type: 'EraseAudio', at: request.at }),
    erase(app, request, audioSubject(id)),
  );

/** Erases the metadata of an ended realtime session (DELETE). */
export const eraseSession = (app: Uses<'keys' | 'log' | 'perform'>, request: RequestContext, id: SessionId) =>
  pipe(
    app.perform(request, 'realtimeSessions', id, { type: 'EraseSession', at: request.at }),
    erase(app, request, sessionSubject(id)),
  );
