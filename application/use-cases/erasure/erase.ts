import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AudioRefusalOf, isAudioRefusalOf } from '../../../domain/audio/contract.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { AudioId, SessionId, VideoId } from '../../../domain/kernel/ids.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import { type RealtimeSessionRefusal, isRealtimeSessionRefusal } from '../../../domain/realtime-session/contract.js';
import { type Subject, audioSubject, sessionSubject, videoSubject } from '../../../domain/kernel/stream-name.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import type { Uses } from '../../application.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import type { CommandResult } from '../../commands/aggregate.js';
import type { RequestContext } from '../../commands/context.js';

/** The log contains unencrypted personal data, written before sealing was introduced: it cannot be erased. */
export interface LogNotSealed {
  readonly _tag: 'LogNotSealed';
}

/** The answer to an erasure, with the event that records it. */
export interface ErasureReceipt {
  readonly status: 'erased';
  readonly erased_at: Timestamp;
  readonly receipt: { readonly position: Position; readonly event_id: string };
}

type Answer<Refusal> = TE.TaskEither<Refusal | LogNotSealed | RevisionChanged | Failure, ErasureReceipt>;

const sealedLogOnly = ({ keys }: Uses<'keys'>): TE.TaskEither<LogNotSealed | Failure, void> =>
  pipe(
    keys.isLogSealed(),
    TE.chainW((isSealed) => (isSealed ? TE.right(undefined) : TE.left({ _tag: 'LogNotSealed' as const }))),
  );

/** Appends the event first, so that nothing is written after it; then destroys the key and what was cached with it. */
const erase = <Refusal>(
  app: Uses<'keys'>,
  subject: Subject,
  at: Timestamp,
  append: TE.TaskEither<Refusal | RevisionChanged | Failure, CommandResult<unknown, DomainEvent>>,
): Answer<Refusal> =>
  pipe(
    sealedLogOnly(app),
    TE.chainW(() => append),
    TE.chainFirstW(() => app.keys.erase(subject)),
    TE.map(({ recorded }) => {
      const [event] = recorded;
      const receipt = { position: event?.position ?? '', event_id: event?.event_id ?? '' };
      return { status: 'erased', erased_at: event?.event.type === 'MediumErased' ? event.event.data.at : at, receipt };
    }),
  );

/** Erases a video (DELETE). Its audio, if any, then has no parent. */
export const eraseVideo = (
  app: Uses<'keys' | 'performWithReactions'>,
  request: RequestContext,
  id: VideoId,
): Answer<VideoRefusalOf<'EraseVideo'>> => {
  const { at } = request;
  const append = pipe(
    app.performWithReactions(request, 'videos', id, { type: 'EraseVideo', at }),
    narrowRefusal(isVideoRefusalOf('EraseVideo')),
  );
  return erase(app, videoSubject(id), at, append);
};

/** Erases an audio (DELETE). Names and matches that its video took from it are removed. */
export const eraseAudio = (
  app: Uses<'keys' | 'performWithReactions'>,
  request: RequestContext,
  id: AudioId,
): Answer<AudioRefusalOf<'EraseAudio'>> => {
  const { at } = request;
  const append = pipe(
    app.performWithReactions(request, 'audios', id, { type: 'EraseAudio', at }),
    narrowRefusal(isAudioRefusalOf('EraseAudio')),
  );
  return erase(app, audioSubject(id), at, append);
};

type SessionRefusal = Extract<RealtimeSessionRefusal, { _tag: 'SessionNotFound' | 'SessionRunning' }>;

/** Erases the metadata of an ended realtime session (DELETE). */
export const eraseSession = (
  app: Uses<'keys' | 'performWithReactions'>,
  request: RequestContext,
  id: SessionId,
): Answer<SessionRefusal> => {
  const { at } = request;
  const append = pipe(
    app.performWithReactions(request, 'realtimeSessions', id, { type: 'EraseSession', at }),
    narrowRefusal(isRealtimeSessionRefusal('SessionNotFound', 'SessionRunning')),
  );
  return erase(app, sessionSubject(id), at, append);
};
