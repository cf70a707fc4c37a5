import * as E from 'fp-ts/lib/Either.js';
import { ApiError, ConnectionError, MediaAnalysis, describeError } from '../client/index.js';

/** Where the service is and who asks. */
export interface ServiceAccess {
  /** The service's base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API key that holds `WORKER` or is an admin's. */
  readonly key: string;
}

/** A request that did not succeed: `status` is null when no answer came. */
export interface RequestFailure {
  readonly status: number | null;
  readonly message: string;
}

/** Large analyses take the service a while. */
const timeoutMs = 120_000;

const failureOf = (what: string, error: unknown): RequestFailure => {
  const hint = 'start the service there, or say where it is with --url, MEDIA_ANALYSIS_URL or PORT';
  return {
    status: error instanceof ApiError ? error.status : null,
    message: error instanceof ConnectionError ? `${error.message}; ${hint}` : `${what}: ${describeError(error)}`,
  };
};

/** Asks the service; `what` says for messages what is asked. */
export type Ask = <Answer>(
  what: string,
  question: (client: MediaAnalysis) => PromiseLike<Answer>,
) => Promise<E.Either<RequestFailure, Answer>>;

/** A client of the service whose failures are values. */
export const serviceClient = ({ url, key }: ServiceAccess): Ask => {
  const client = new MediaAnalysis({ baseUrl: url, apiKey: key, timeoutMs });
  return async (what, question) => {
    try {
      return E.right(await question(client));
    } catch (error) {
      return E.left(failureOf(what, error));
    }
  };
};
