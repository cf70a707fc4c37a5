import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Request } from 'express';
import { type Subject, type Position, audioSubject, videoSubject } from '../../domain/kernel/recorded-event.js';
import type { KeyedWrites, Served } from '../../application/idempotency/keyed-writes.js';
import type { PersonalKeys } from '../../application/ports/key-vault.js';
import type { StoredAnswer } from '../../application/idempotency/stored-answer.js';
import type { RequestContext } from '../../application/commands/context.js';
import type { Body } from './body.js';
import type { Answer, Endpoint, Once } from './endpoint.js';
import { idempotencyKeyOf } from './headers.js';
import { jsonLength } from '../runtime/memory.js';
import type { Refusal } from './refusals/refusals.js';

export interface Idempotency {
  /** Serves a write once per idempotency key. */
  readonly keyed: KeyedWrites<Refusal>;
  /** Turns the digest of a request into one that only the encryption key of its medium can reproduce. */
  readonly keyedDigest: PersonalKeys['digest'];
}

const unkeyed: Once = { stored: null, isBegun: TE.right(false), serve: (request, _rules, run) => run(request) };

/** Two requests are the same if method, path, query and body are. */
const digestOf = ({ method, originalUrl }: Request, body: Body | null): string =>
  createHash('sha256')
    .update(`${method} ${originalUrl}\n`)
    .update(body ?? '')
    .digest('hex');

/** The video or audio of the path; null if there is none. */
const mediumOf = ({ params: { video_id, audio_id } }: Request): Subject | null => {
  if (typeof video_id === 'string') return videoSubject(video_id);
  return typeof audio_id === 'string' ? audioSubject(audio_id) : null;
};

/** The stored answer of an earlier request; a secret cannot be repeated. */
const replayed = ({ body, headers, secret_of }: StoredAnswer): E.Either<Refusal, Answer> =>
  secret_of === null
    ? E.right({ body: null, json: Buffer.from(body), headers: { ...headers, 'Idempotency-Replayed': 'true' } })
    : E.left({ _tag: 'SecretNotRepeatable', id: secret_of });

const textOf = ({ body, json = null }: Answer): string =>
  json === null ? JSON.stringify(body) : Buffer.from(json).toString();

/** Longer answers are not stored, or every small write to a large record would fill the log; in characters. */
const maxStored = 300_000;

const isTooLong = ({ body, json = null }: Answer): boolean =>
  (json === null ? jsonLength(body, maxStored) : json.length) > maxStored;

const toStored = (answer: Answer, last: Position | null): StoredAnswer | null =>
  isTooLong(answer)
    ? null
    : {
        body: answer.secret_of === undefined ? textOf(answer) : 'null',
        headers: { ...answer.headers, ...(last === null ? {} : { 'X-Event-Position': last }) },
        secret_of: answer.secret_of ?? null,
      };

const answerOf = (served: Served<Answer>): E.Either<Refusal, Answer> =>
  served.kind === 'new' ? E.right(served.answer) : replayed(served.answer);

/**
 * How one request is served once per `Idempotency-Key`, once its body has been received. An invalid header is refused only
 * when the request is served, after its body was decoded. `lastWritten`: the position that the response names; the stored
 * answer names the same.
 */
export const oncePerRequestKey =
  (
    { keyed, keyedDigest }: Idempotency,
    { method, ignoresKey }: Pick<Endpoint, 'method' | 'ignoresKey'>,
    request: Request,
    context: RequestContext,
    lastWritten: () => Position | null,
  ): ((body: Body | null) => TE.TaskEither<Refusal, Once>) =>
  (body) => {
    if (method === 'get' || ignoresKey) return TE.right(unkeyed);
    const key = idempotencyKeyOf(request.headers);
    if (E.isLeft(key)) return TE.right({ ...unkeyed, serve: () => TE.left(key.left) });
    const medium = mediumOf(request);
    const text = key.right;
    if (text === null) return TE.right(unkeyed);
    return pipe(
      keyedDigest(medium, digestOf(request, body)),
      TE.map((digest) => (own: RequestContext) => keyed(own, text, digest, medium)),
      TE.bindTo('of'),
      TE.bind('found', ({ of }) => of(context).find),
      TE.bindW('stored', ({ found }) =>
        TE.fromEither<Refusal, Answer | null>(found === null ? E.right(null) : replayed(found)),
      ),
      TE.map(({ of, stored }): Once => ({
        stored,
        isBegun: of(context).isBegun,
        serve: (own, { writesNothing, ...rules }, run) => {
          if (writesNothing) return run(own);
          return pipe(
            of(own).once({ run, stored: (answer: Answer) => toStored(answer, lastWritten()), ...rules }),
            TE.chainEitherKW(answerOf),
          );
        },
      })),
    );
  };
