import type * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { IdempotencyKeyCommand, IdempotencyKeyRefusal } from '../../domain/idempotency-key/contract.js';
import {
  type HoldingWrite,
  type IdempotencyKeyState,
  holderAt,
  idempotencyKey,
} from '../../domain/idempotency-key/decider.js';
import { AudioId, type InstanceId, VideoId } from '../../domain/kernel/ids.js';
import {
  type Subject,
  type Position,
  streamId,
  audioSubject,
  videoSubject,
} from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Uses } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { type KeyedWrite, type RequestContext, anyRevision, commandContext } from '../commands/context.js';
import { type StoredAnswer, piecesOf, readAnswer } from './stored-answer.js';

export type KeyRefusal = IdempotencyKeyRefusal | RevisionChanged | Failure;

/** A write that has claimed the key. */
export interface ClaimedWrite extends KeyedWrite {
  readonly write_id: string;
  /** The time of the write; the same each time it is started. */
  readonly at: Timestamp;
  /** The id of the first thing that it creates. */
  readonly made_id: string;
}

/** The idempotency key of a request; its stream in the log holds the claim and the answer. */
export interface WriteKey {
  readonly id: string;
  /** The stored answer of the same request, if any. */
  readonly answer: TE.TaskEither<Failure, StoredAnswer | null>;
  /** Whether the same request holds the key. */
  readonly isBegun: TE.TaskEither<Failure, boolean>;
  /** Claims the key, also from a process that crashed or has taken longer than this. */
  readonly claim: (abandoned_after_seconds: number | undefined) => TE.TaskEither<KeyRefusal, ClaimedWrite>;
  /** Stores the answer, which may be sent even if this fails: a repetition finds what was written. */
  readonly keep: (write: ClaimedWrite, answer: StoredAnswer) => T.Task<void>;
  /** Releases the key. `may_be_written`: the outcome of the write is unknown. */
  readonly release: (write: ClaimedWrite, may_be_written: boolean) => T.Task<void>;
}

const idOf = (app: Uses<'ids'>, write_id: string, place: number): string => app.ids.derived(write_id, `id/${place}`);

const claimedWrite = (
  app: Uses<'ids'>,
  { write_id, since: at }: { readonly write_id: string; readonly since: Timestamp },
  since: Position,
  taken_over: boolean,
): ClaimedWrite => {
  let [commands, ids] = [0, 0];
  return {
    write_id,
    at,
    made_id: idOf(app, write_id, 1),
    since,
    taken_over,
    nextCommand: () => app.ids.derived(write_id, `command/${(commands += 1)}`),
    nextId: () => idOf(app, write_id, (ids += 1)),
  };
};

const maxClaims = 1_000;

/** The position of a write's first claim of the key. */
const firstClaim = (app: Uses<'store'>, stream: string, write_id: string): TE.TaskEither<Failure, Position | null> =>
  pipe(
    app.store.read(stream, -1, maxClaims),
    TE.map(
      (events) =>
        events.find(
          ({ data }) => typeof data === 'object' && data !== null && Reflect.get(data, 'write_id') === write_id,
        )?.position ?? null,
    ),
  );

type Handle = (
  command: IdempotencyKeyCommand,
) => TE.TaskEither<KeyRefusal, { readonly state: IdempotencyKeyState; readonly position: Position | null }>;

const Named = t.partial({ video_id: t.unknown, audio_id: t.unknown });

/** The media named in an answer, and the one in the request's path. */
export const namedIn = (body: string, medium: Subject | null): ReadonlyArray<Subject> => {
  const parsed: unknown = JSON.parse(body);
  const { video_id, audio_id } = Named.is(parsed) ? parsed : {};
  return [
    ...(medium === null ? [] : [medium]),
    ...(VideoId.is(video_id) ? [videoSubject(video_id)] : []),
    ...(AudioId.is(audio_id) ? [audioSubject(audio_id)] : []),
  ];
};

/** The media that an answer contains data of; data of a video may come from its audio. */
const subjectsOfAnswer = (
  app: Uses<'videos'>,
  body: string,
  medium: Subject | null,
): TE.TaskEither<Failure, ReadonlyArray<Subject>> => {
  const named = [...new Set(namedIn(body, medium))];
  return pipe(
    named,
    TE.traverseSeqArray((subject) =>
      subject.startsWith('video-')
        ? pipe(
            app.videos.load(streamId(subject)),
            TE.map(({ state }): ReadonlyArray<Subject> =>
              state._tag === 'Registered' && state.audio_id !== null ? [audioSubject(state.audio_id)] : [],
            ),
          )
        : TE.right<Failure, ReadonlyArray<Subject>>([]),
    ),
    TE.map((linked) => [...new Set([...named, ...linked.flat()])].sort()),
  );
};

const keepWith =
  (
    app: Uses<'clock' | 'log' | 'videos'>,
    process_id: string,
    request: RequestContext,
    medium: Subject | null,
    handle: Handle,
  ): WriteKey['keep'] =>
  ({ write_id }, { body, headers, secret_of }) => {
    const pieces = piecesOf(body);
    const text = pieces.at(-1) ?? '';
    const keepPieces = (about: ReadonlyArray<Subject>) =>
      TE.traverseSeqArray((piece: string) =>
        handle({ type: 'KeepAnswerPiece', process_id, write_id, text: piece, about }),
      )(pieces.slice(0, -1));
    return pipe(
      subjectsOfAnswer(app, body, medium),
      TE.chainFirstW(keepPieces),
      TE.chainW((about) => {
        const answer = { write_id, text, headers: { ...headers }, secret_of, at: app.clock.now() };
        return handle({ type: 'AnswerWrite', process_id, ...answer, about });
      }),
      TE.match(
        ({ _tag }) =>
          app.log.warn('the answer of an idempotency key was not stored', {
            request_id: request.request_id,
            failure: _tag,
          }),
        ({ position }) => (position === null ? undefined : request.requireVisible(position)),
      ),
    );
  };

const releaseWith =
  (app: Uses<'clock' | 'log'>, process_id: string, request: RequestContext, handle: Handle): WriteKey['release'] =>
  ({ write_id }, may_be_written) =>
    pipe(
      handle({ type: 'ReleaseWrite', process_id, write_id, may_be_written, at: app.clock.now() }),
      TE.match(
        ({ _tag }) =>
          app.log.warn('an idempotency key was not released', { request_id: request.request_id, failure: _tag }),
        ({ position }) => (position === null ? undefined : request.onKeyWrite(position)),
      ),
    );

/** The write of the same request that holds a key; null if there is none. */
const holderOf = (
  app: Uses<'clock' | 'idempotencyKeys'>,
  id: string,
  digest: string,
): TE.TaskEither<Failure, HoldingWrite | null> =>
  pipe(
    app.idempotencyKeys.load(id),
    TE.map(({ state }) => {
      const holder = holderAt(state, app.clock.now());
      return holder?.request_digest === digest ? holder : null;
    }),
  );

/**
 * The idempotency key of a request. `digest`: of the request's content; a repetition must have the same. `medium`: the
 * video or audio in its path, if any.
 */
export const writeKey = (
  app: Uses<'clock' | 'idempotencyKeys' | 'ids' | 'log' | 'store' | 'videos'>,
  worker: { readonly instance_id: InstanceId; readonly process_id: string },
  request: RequestContext,
  key: string,
  digest: string,
  medium: Subject | null,
): WriteKey => {
  const { account_id } = request.caller;
  const id = app.ids.digest(`${account_id} ${key}`);
  const stream = `${idempotencyKey.category}-${id}`;
  const handle: Handle = (command) =>
    app.idempotencyKeys.handle(id, command, commandContext(app.ids, anyRevision(request)));

  const claim: WriteKey['claim'] = (abandoned_after_seconds) => () => {
    const [own, at] = [app.ids.random(), app.clock.now()];
    return pipe(
      handle({
        type: 'ClaimWrite',
        account_id,
        write_id: own,
        request_digest: digest,
        ...worker,
        abandoned_after_seconds,
        at,
      }),
      TE.chain(({ state: { holder }, position }): TE.TaskEither<KeyRefusal, ClaimedWrite> => {
        if (holder === null || position === null) return TE.left({ _tag: 'KeyReused' });
        request.onKeyWrite(position);
        return holder.write_id === own
          ? TE.right(claimedWrite(app, holder, position, false))
          : pipe(
              firstClaim(app, stream, holder.write_id),
              TE.map((first) => claimedWrite(app, holder, first ?? position, true)),
            );
      }),
    )();
  };
  const holding = holderOf(app, id, digest);
  return {
    id,
    answer: pipe(
      holding,
      TE.chain((holder) =>
        holder?.answered === true ? readAnswer(app.store, stream, holder.write_id) : TE.right(null),
      ),
    ),
    isBegun: pipe(
      holding,
      TE.map((holder) => holder !== null),
    ),
    claim,
    keep: keepWith(app, worker.process_id, request, medium, handle),
    release: releaseWith(app, worker.process_id, request, handle),
  };
};
