import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type BodyReader, plainReader, readerOf } from './decode.js';
import {
  type Answer,
  type AnswerHeader,
  type Call,
  type Checks,
  type Endpoint,
  type Finder,
  type IncomingRequest,
  type Once,
  type OnceRules,
  type Refusable,
  type RefusalTag,
  commonRefusals,
  placeOf,
} from './endpoint.js';
import type { RequestContext } from '../../application/commands/context.js';
import { checkRevision } from '../../application/commands/handle-command.js';
import type { Understanding } from '../../application/ports/provider-documents.js';
import type { OperationId } from '../runtime/operations.js';
import type { Body as Bytes } from './body.js';
import type { ParameterDescription, Reading } from './parameters.js';
import type { Refusal } from './refusals/refusals.js';

const defaultBodyLimit = 2 * 1024 * 1024;
/** Analysis write-backs contain hours of face tracks, and transcripts hours of speech. */
export const analysisBodyLimit = 64 * 1024 * 1024;

/** What an endpoint declares, in addition to its texts and who may call it. */
interface Declared<Body, Tag extends RefusalTag> {
  /** Describes and encodes the answer. */
  readonly answer: t.Type<Body, unknown>;
  /** Refusals in addition to the common ones and those of its finder. */
  readonly refuses?: ReadonlyArray<Tag>;
  readonly headers?: ReadonlyArray<AnswerHeader>;
}

/** A received body in the format of the contract; `understood` says how it was read from a provider document. */
export interface ReceivedBody {
  readonly sent: Bytes;
  readonly understood: Understanding | null;
}

/** What an endpoint with a body may declare too. */
interface Rules<Found, Sent> {
  /** Parameters that say how the body is to be read. */
  readonly query?: ReadonlyArray<ParameterDescription>;
  /** Turns a document in another format into a body. */
  readonly understand?: (visit: IncomingRequest, found: Found, sent: Bytes) => TE.TaskEither<Refusal, ReceivedBody>;
  /** Refuses a body that names something erased; checked before the idempotency key. */
  readonly unlessErased?: (visit: IncomingRequest, body: Sent) => TE.TaskEither<Refusal, void>;
  /** For an answer that contains a secret: whether the thing with this id was created. */
  readonly made?: (visit: IncomingRequest, id: string) => TE.TaskEither<Refusal, boolean>;
  /** What an interrupted write has come to, by the id of what it creates. */
  readonly interrupted?: (visit: IncomingRequest, request: RequestContext) => OnceRules['interrupted'];
  /** Seconds after which another instance may take the write over. */
  readonly abandoned_after_seconds?: (visit: IncomingRequest) => number;
  readonly ignoresKey?: boolean;
  readonly bodyLimit?: number;
}

/** Whether a path names something that can be erased. The history of an erased medium can still be read. */
const isErasable = (path: string): boolean => /:(?:video|audio|session)_id\b/.test(path) && !path.endsWith('/history');

const isDryRun = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Reflect.get(body, 'dry_run') === true;

/** If a session has already ended, an earlier request with the same key may have ended it: its answer is repeated. */
const repeatedEnd = (once: Checks['once'], refusal: Refusal): TE.TaskEither<Refusal, Answer> =>
  refusal._tag === 'SessionNotFound'
    ? pipe(
        once(null),
        TE.chain(({ stored }) => (stored === null ? TE.left(refusal) : TE.right(stored))),
      )
    : TE.left(refusal);

/**
 * Checks the preconditions, before anything else that depends on the state of the record, and before the idempotency key
 * is claimed. The command checks the revision once more when it is decided.
 */
const admitted = <Found>(
  { service }: IncomingRequest,
  { admit }: Checks,
  { isBegun }: Once,
  { recordOf }: Pick<Finder<Found, RefusalTag>, 'recordOf'>,
  found: Found,
): TE.TaskEither<Refusal, RequestContext> =>
  pipe(
    admit,
    TE.chainFirst(({ if_match }): TE.TaskEither<Refusal, unknown> =>
      recordOf === undefined || if_match === null
        ? TE.right(null)
        : pipe(
            recordOf(found, service),
            TE.chainEitherKW(({ revision }) => checkRevision(if_match, revision)),
            TE.orElseW((refusal) =>
              pipe(
                isBegun,
                TE.filterOrElseW(Boolean, () => refusal),
              ),
            ),
          ),
    ),
  );

type Serve<Found, Sent, Body, Tag extends RefusalTag> = (
  call: Call,
  found: Found,
  body: Sent,
  understood: Understanding | null,
) => TE.TaskEither<NoInfer<Refusable<Tag>>, Answer<NoInfer<Body>>>;

/** How the body of an endpoint is read; `codec` is null if it takes none. */
interface BodyOf<Found, Sent> {
  readonly codec: t.Mixed | null;
  readonly isOptional: boolean;
  readonly read: (
    visit: IncomingRequest,
    found: Found,
    received: Bytes,
    checks: Checks,
  ) => TE.TaskEither<Refusal, { readonly body: Sent; readonly understood: Understanding | null }>;
}

const noBytes = new Uint8Array();

/** The checks of a request in their order, and its answer. */
const served =
  <Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag>(
    { codec, read }: BodyOf<Found, Sent>,
    finder: Finder<Found, FoundTag>,
    serve: Serve<Found, Sent, Body, Tag>,
    answer: t.Type<Body, unknown>,
    { unlessErased, made, interrupted, abandoned_after_seconds }: Rules<Found, Sent>,
  ): Endpoint['serve'] =>
  (visit, checks) =>
  async () => {
    const found = await finder.find(visit)();
    if (E.isLeft(found)) return codec === null ? repeatedEnd(checks.once, found.left)() : found;
    const received = codec === null ? E.right(noBytes) : await checks.body();
    if (E.isLeft(received)) return received;
    const keyed = await checks.once(codec === null ? null : received.right)();
    if (E.isLeft(keyed)) return keyed;
    if (keyed.right.stored !== null) return E.right(keyed.right.stored);
    const sent = await read(visit, found.right, received.right, checks)();
    if (E.isLeft(sent)) return sent;
    const { body, understood } = sent.right;
    const wrong = (await unlessErased?.(visit, body)()) ?? E.right(undefined);
    if (E.isLeft(wrong)) return wrong;
    const admission = await admitted(visit, checks, keyed.right, finder, found.right)();
    if (E.isLeft(admission)) return admission;
    const rules: OnceRules = {
      writesNothing: isDryRun(body),
      abandoned_after_seconds: abandoned_after_seconds?.(visit),
      interrupted:
        made === undefined
          ? interrupted?.(visit, admission.right)
          : (id) =>
              pipe(
                made(visit, id),
                TE.map((isMade) => (isMade ? 'secret_made' : 'start_over')),
              ),
    };
    return keyed.right.serve(admission.right, rules, (request) =>
      pipe(
        serve({ ...visit, request }, found.right, body, understood),
        TE.map((given) => (given.body === null ? given : { ...given, body: answer.encode(given.body) })),
      ),
    )();
  };

type Texts = readonly [operation: OperationId, summary: string, description: string];

const declared = <Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag>(
  [operation, summary, description]: Texts,
  finder: Finder<Found, FoundTag>,
  { answer, refuses = [], headers = [] }: Declared<Body, Tag>,
  query: ReadonlyArray<ParameterDescription>,
  body: BodyOf<Found, Sent>,
  serve: Serve<Found, Sent, Body, Tag | FoundTag>,
  rules: Rules<Found, Sent> = {},
): Endpoint => {
  const { codec, isOptional } = body;
  const { made, ignoresKey = false, bodyLimit = defaultBodyLimit } = rules;
  const place = placeOf(operation);
  const isWrite = place.method !== 'get';
  const all: ReadonlyArray<RefusalTag> = [
    ...commonRefusals.always,
    ...(isErasable(place.path) ? commonRefusals.erasable : []),
    ...commonRefusals.header,
    ...(isWrite ? commonRefusals.write : []),
    ...(isWrite && !ignoresKey ? commonRefusals.key : []),
    ...(made === undefined ? [] : commonRefusals.secret),
    ...(codec === null ? [] : commonRefusals.body),
    ...(query.length > 0 ? commonRefusals.query : []),
    ...(query.some(({ name }) => name === 'cursor') ? commonRefusals.page : []),
    ...finder.refuses,
    ...refuses,
  ];
  return {
    ...place,
    summary,
    description,
    access: finder.access,
    refuses: [...new Set(all)],
    answer,
    headers,
    query,
    ignoresKey,
    bodyLimit: codec && bodyLimit,
    body: codec,
    bodyOptional: isOptional,
    serve: served(body, finder, serve, answer, rules),
  };
};

const noBody = { codec: null, isOptional: false, read: () => TE.right({ body: null, understood: null }) };

/** An endpoint without a body and a query. */
export const withoutBody = <Found, FoundTag extends RefusalTag, Body, Tag extends RefusalTag = never>(
  operation: OperationId,
  summary: string,
  description: string,
  finder: Finder<Found, FoundTag>,
  declaration: Declared<Body, Tag>,
  serve: Serve<Found, null, Body, Tag | FoundTag>,
): Endpoint => declared([operation, summary, description], finder, declaration, [], noBody, serve);

/** An endpoint that reads its query. */
export const withQuery = <Found, FoundTag extends RefusalTag, Asked, Body, Tag extends RefusalTag = never>(
  operation: OperationId,
  summary: string,
  description: string,
  finder: Finder<Found, FoundTag>,
  declaration: Declared<Body, Tag> & { readonly query: Reading<Asked> },
  serve: (call: Call, found: Found, asked: Asked) => ReturnType<Serve<Found, null, Body, Tag | FoundTag>>,
): Endpoint => {
  const { about, read } = declaration.query;
  return declared([operation, summary, description], finder, declaration, about, noBody, (call, found) =>
    pipe(
      TE.fromEither(read(call.query)),
      TE.chainW((asked) => serve(call, found, asked)),
    ),
  );
};

/**
 * An endpoint with a JSON body, which is decoded or has a reader of its own. An empty body is treated as `{}` if that is
 * a valid one.
 */
export const withBody = <Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag = never>(
  operation: OperationId,
  summary: string,
  description: string,
  finder: Finder<Found, FoundTag>,
  declaration: Declared<Body, Tag> &
    Rules<Found, NoInfer<Sent>> & { readonly body: t.Type<Sent, unknown> | BodyReader<Sent> },
  serve: Serve<Found, Sent, Body, Tag | FoundTag>,
): Endpoint => {
  const { body: codec, understand, query = [] } = declaration;
  const reader = 'read' in codec ? codec : plainReader(codec);
  const { name } = reader.codec;
  // A thread finds the reader by its name.
  if (readerOf(name).codec !== reader.codec) throw new Error(`two bodies are named ${name}`);
  const empty = reader.read({});
  const isOptional = E.isRight(empty);
  const body: BodyOf<Found, Sent> = {
    codec: reader.codec,
    isOptional,
    read: (visit, found, received, checks) =>
      pipe(
        understand?.(visit, found, received) ?? TE.right({ sent: received, understood: null }),
        TE.bind('body', ({ sent }): TE.TaskEither<Refusal, Sent> =>
          isOptional && sent.length === 0 ? TE.fromEither(empty) : checks.read(reader, sent),
        ),
      ),
  };
  return declared([operation, summary, description], finder, declaration, query, body, serve, declaration);
};

export const ok = <const Body>(body: Body): TE.TaskEither<never, Answer<Body>> => TE.right({ body });

/** The answer with a record, with its revision as the ETag; null: it has none yet. */
export const recordAnswer = <const Body>(body: Body, revision: number | null): Answer<Body> =>
  revision === null ? { body } : { body, headers: { ETag: `"${revision}"` } };

/** Answers with the result of a task, as `show` gives it. */
export const answering = <Refused, Result, const Body>(
  task: TE.TaskEither<Refused, Result>,
  show: (result: Result) => Body,
): TE.TaskEither<Refused, Answer<Body>> =>
  pipe(
    task,
    TE.map((result) => ({ body: show(result) })),
  );
