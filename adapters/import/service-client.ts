import * as E from 'fp-ts/lib/Either.js';
import { ApiError, ConnectionError, MediaAnalysis, describeError } from '../client/index.js';

/** The address of the service and the API key. */
export interface ServiceAccess {
  /** The service's base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API key with the permission `WORKER` or of an administrator. */
  readonly key: string;
}

/** A failed request. `status`: null if there was no answer. */
export interface RequestFailure {
  readonly status: number | null;
  readonly message: string;
}

/** Large analyses take some time. */
const timeoutMs = 120_000;

const failureOf = (what: string, error: unknown): RequestFailure => {
  const hint = 'start the service there, or say where it is with --url, MEDIA_ANALYSIS_URL or PORT';
  return {
    status: error instanceof ApiError ? error.status : null,
    message: error instanceof ConnectionError ? `${error.message}; ${hint}` : `${what}: ${describeError(error)}`,
  };
};

/** Sends a request. `what`: the request in words, for error messages. */
export type SendRequest = <Answer>(
  what: string,
  call: (client: MediaAnalysis) => PromiseLike<Answer>,
) => Promise<E.Either<RequestFailure, Answer>>;

/** A client of the service that returns failures as values. */
export const serviceClient = ({ url, key }: ServiceAccess): SendRequest => {
  const client = new MediaAnalysis({ baseUrl: url, apiKey: key, timeoutMs });
  return async (what, call) => {
    try {
      return E.right(await call(client));
    } catch (error) {
      return E.left(failureOf(what, error));
    }
  };
};
