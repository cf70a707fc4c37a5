import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { textAtMost } from '../runtime/memory.js';
import { type HeldKey, type KeyVault, type KeyVaultUnavailable, keyLength } from '../../application/ports/key-vault.js';

export interface HttpVaultOptions {
  /** Without a trailing slash. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`; nothing is sent if null. */
  readonly token: string | null;
  /** The time limit of one call; default 5 s. */
  readonly timeout_ms?: number;
}

const Held = t.type({ key: t.string });
const maxAnswerBytes = 4_096;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const keyIn = (text: string): Uint8Array => {
  const parsed: unknown = JSON.parse(text);
  if (!Held.is(parsed)) throw new Error('its answer is not a key');
  const key = Buffer.from(parsed.key, 'base64');
  if (key.length !== keyLength || key.toString('base64') !== parsed.key) throw new Error('its answer is not a key');
  return key;
};

const unexpected = ({ status }: Answer): never => {
  throw new Error(`it answered ${status}`);
};

const heldIn = (answer: Answer): HeldKey => {
  if (answer.status === 410) return 'erased';
  return answer.status === 200 ? keyIn(answer.text) : unexpected(answer);
};

/** `fetch` says only that it failed; its cause says why. */
const messageOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

const unavailable = (cause: unknown): KeyVaultUnavailable => ({
  _tag: 'KeyVaultUnavailable',
  reason: `the key vault cannot be used${cause instanceof Error ? `: ${messageOf(cause)}` : ''}`,
});

/**
 * A vault over HTTP: `PUT`, `GET` and `DELETE {url}/keys/{name}` (docs/erasure.md). An answer that does not follow the
 * protocol or is late counts as no answer.
 */
export const httpVault = ({ url, token, timeout_ms = 5_000 }: HttpVaultOptions): KeyVault => {
  const call = <Result>(
    method: 'PUT' | 'GET' | 'DELETE',
    name: string,
    read: (answer: Answer) => Result,
  ): TE.TaskEither<KeyVaultUnavailable, Result> =>
    TE.tryCatch(async () => {
      const response = await fetch(`${url}/keys/${encodeURIComponent(name)}`, {
        method,
        headers: token === null ? {} : { Authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeout_ms),
      });
      return read({ status: response.status, text: await textAtMost(response, maxAnswerBytes) });
    }, unavailable);
  const find = (name: string): TE.TaskEither<KeyVaultUnavailable, HeldKey | null> =>
    call('GET', name, (answer) => (answer.status === 404 ? null : heldIn(answer)));
  return {
    make: (name) => call('PUT', name, heldIn),
    find,
    erase: (name) => call('DELETE', name, (answer) => (answer.status === 200 ? undefined : unexpected(answer))),
    check: () =>
      pipe(
        find('check'),
        TE.map(() => undefined),
      ),
    close: () => undefined,
  };
};
