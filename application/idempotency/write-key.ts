import * as E from 'fp-ts/lib/Either.js';
import type * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { EndWrite, IdempotencyKeyCommand, IdempotencyKeyRefusal } from '../../domain/idempotency-key/contract.js';
import { type HoldingWrite, holderAt, idempotencyKey } from '../../domain/idempotency-key/decider.js';
import { AudioId, type InstanceId, VideoId } from '../../domain/kernel/ids.js';
import {
  type Position,
  type RecordedEvent,
  type Subject,
  streamId,
  audioSubject,
  videoSubject,
} from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Uses } from '../application.js';
import { type Failure, type RevisionChanged, withheld } from '../failures.js';
import { type KeyedWrite, type RequestContext, anyRevision, commandContext } from '../commands/context.js';
import { readHistoryPage } from '../queries/events.js';

export type KeyRefusal = IdempotencyKeyRefusal | RevisionChanged | Failure;

/** An answer that is stored for repetitions. */
export interface StoredAnswer {
  /** JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The id of the created thing, where the body contained a secret and is not stored. */
  readonly secret_of: string | null;
}

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

const claimedWrite = (
  { derived }: Uses<'ids'>['ids'],
  { write_id, since: at }: HoldingWrite,
  since: Position,
  taken_over: boolean,
): ClaimedWrite => {
  let [commands, ids] = [0, 0];
  const idAt = (place: number): string => derived(write_id, `id/${place}`);
  return {
    write_id,
    at,
    made_id: idAt(1),
    since,
    taken_over,
    nextCommand: () => derived(write_id, `command/${(commands += 1)}`),
    nextId: () => idAt((ids += 1)),
  };
};

/** A store accepts events of up to 1 MiB; a character of JSON within JSON takes at most six bytes. */
const pieceLength = 150_000;

/** Splits a text into pieces that each fit an event; at least one. */
const piecesOf = (text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(1, Math.ceil(text.length / pieceLength)) }, (_, piece) =>
    text.slice(piece * pieceLength, (piece + 1) * pieceLength),
  );

/** The answer in the events that follow the last claim of a key; null if there is none. */
const answerIn = (
  stream: string,
  events: ReadonlyArray<RecordedEvent<DomainEvent>>,
): E.Either<Failure, StoredAnswer | null> => {
  let body = '';
  for (const { event } of events) {
    if (event.type === 'Withheld') return E.left(withheld(stream, event.data));
    if (event.type === 'AnswerPieceKept' || event.type === 'WriteAnswered') body += event.data.text;
    if (event.type !== 'WriteAnswered') continue;
    const { headers, secret_of } = event.data;
    return E.right({ body, headers, secret_of });
  }
  return E.right(null);
};

const Named = t.partial({ video_id: t.unknown, audio_id: t.unknown });

/** The media that an answer contains data of: that of the request's path, those it names, and the audios of these videos. */
const subjectsOfAnswer = (
  app: Uses<'videos'>,
  body: string,
  medium: Subject | null,
): TE.TaskEither<Failure, ReadonlyArray<Subject>> => {
  const parsed: unknown = JSON.parse(body);
  const { video_id, audio_id } = Named.is(parsed) ? parsed : {};
  const named = [
    ...(medium === null ? [] : [medium]),
    ...(VideoId.is(video_id) ? [videoSubject(video_id)] : []),
    ...(AudioId.is(audio_id) ? [audioSubject(audio_id)] : []),
  ];
  return pipe(
    named.filter((subject) => subject.startsWith('video-')),
    TE.traverseSeqArray((subject) => app.videos.load(streamId(subject))),
    TE.map((videos) => {
      const audios = videos.flatMap(({ state }) =>
        state._tag === 'Registered' && state.audio_id !== null ? [audioSubject(state.audio_id)] : [],
      );
      return [...new Set([...named, ...audios])].sort();
    }),
  );
};

type Handle = (command: IdempotencyKeyCommand) => ReturnType<Uses<'idempotencyKeys'>['idempotencyKeys']['handle']>;

/** How the work on a write ends. The request can be answered even if this fails. */
const endings = (
  app: Uses<'clock' | 'log' | 'videos'>,
  { request_id, requireVisible, onKeyWrite }: RequestContext,
  process_id: string,
  medium: Subject | null,
  handle: Handle,
): Pick<WriteKey, 'keep' | 'release'> => {
  const endWrite = (ending: EndWrite['ending'], about: ReadonlyArray<Subject> = []) =>
    handle({ type: 'EndWrite', process_id, ending, about });
  const end = (ending: ReturnType<Handle>, failed: string, onPosition: (position: Position) => void): T.Task<void> =>
    pipe(
      ending,
      TE.match(
        ({ _tag }) => app.log.warn(failed, { request_id, failure: _tag }),
        ({ position }) => (position === null ? undefined : onPosition(position)),
      ),
    );
  return {
    keep: ({ write_id }, { body, ...rest }) => {
      const pieces = piecesOf(body);
      const text = pieces.at(-1) ?? '';
      const answering = pipe(
        subjectsOfAnswer(app, body, medium),
        TE.chainFirstW((about) =>
          TE.traverseSeqArray((piece: string) =>
            endWrite({ type: 'AnswerPieceKept', data: { write_id, text: piece } }, about),
          )(pieces.slice(0, -1)),
        ),
        TE.chainW((about) =>
          endWrite({ type: 'WriteAnswered', data: { write_id, text, ...rest, at: app.clock.now() } }, about),
        ),
      );
      return end(answering, 'the answer of an idempotency key was not stored', requireVisible);
    },
    release: ({ write_id }, may_be_written) => {
      const data = { write_id, may_be_written, at: app.clock.now() };
      return end(endWrite({ type: 'WriteReleased', data }), 'an idempotency key was not released', onKeyWrite);
    },
  };
};

/** An answer has a few pieces. */
const maxPieces = 100;

/**
 * The idempotency key of a request. `key`: with whose it is, for it is one key wherever the text is the same. `digest`: of
 * the request's content; a repetition must have the same. `medium`: the video or audio in its path, if any.
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
  const id = app.ids.digest(key);
  const stream = `${idempotencyKey.category}-${id}`;
  const handle: Handle = (command) =>
    app.idempotencyKeys.handle(id, command, commandContext(app.ids, anyRevision(request)));
  /** The write of the same request that holds the key; null if there is none. */
  const holding = pipe(
    app.idempotencyKeys.load(id),
    TE.map(({ state }) => {
      const holder = holderAt(state, app.clock.now());
      return holder?.request_digest === digest ? holder : null;
    }),
  );
  return {
    id,
    answer: pipe(
      holding,
      TE.chain((holder) =>
        holder?.answered === true
          ? pipe(
              readHistoryPage(app.store, stream, holder.claimed_at, maxPieces),
              TE.chainEitherK((events) => answerIn(stream, events)),
            )
          : TE.right(null),
      ),
    ),
    isBegun: pipe(
      holding,
      TE.map((holder) => holder !== null),
    ),
    claim: (abandoned_after_seconds) => () => {
      const [own, at] = [app.ids.random(), app.clock.now()];
      const claim = { account_id, write_id: own, request_digest: digest, ...worker, abandoned_after_seconds, at };
      return pipe(
        handle({ type: 'ClaimWrite', ...claim }),
        TE.chain(({ state: { holder }, position }): TE.TaskEither<KeyRefusal, ClaimedWrite> => {
          if (holder === null || position === null) return TE.left({ _tag: 'KeyReused' });
          request.onKeyWrite(position);
          return holder.write_id === own
            ? TE.right(claimedWrite(app.ids, holder, position, false))
            : pipe(
                app.store.read(stream, holder.first_claimed_at - 1, 1),
                TE.map(([first]) => claimedWrite(app.ids, holder, first?.position ?? position, true)),
              );
        }),
      )();
    },
    ...endings(app, request, worker.process_id, medium, handle),
  };
};
