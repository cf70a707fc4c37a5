import { coded, later, retryable } from './http-error.js';
import type { RefusalAnswers } from './refusal.js';

const busy_seconds = 5;

type FailureTag =
  | 'BodyReaderFailed'
  | 'ServerBusy'
  | 'TooManyRequests'
  | 'EngineUnavailable'
  | 'DocumentReaderFailed'
  | 'NameModelFailed'
  | 'RunTakenOver'
  | 'ReadModelBehind'
  | 'ReadModelsUnavailable'
  | 'StoreUnavailable'
  | 'Contention'
  | 'AppendTooLarge'
  | 'AppendUnreadable'
  | 'UnreadableEvent';

/** The answers to technical failures. Reasons of failures are logged, not sent: they may contain internal details. */
export const failureAnswers: Pick<RefusalAnswers, FailureTag> = {
  BodyReaderFailed: () => later('body_reader_failed', 'The body could not be processed: try again later', busy_seconds),
  ServerBusy: () => later('server_busy', 'The service is receiving too much data: try again later', busy_seconds),
  TooManyRequests: ({ most }) =>
    retryable(429, 'too_many_requests', `The account has ${most} requests in progress`, 1, { most }),
  EngineUnavailable: () =>
    later('analysis_unavailable', 'The analysis engine is unreachable: try again later', busy_seconds),
  DocumentReaderFailed: () =>
    later('document_reader_failed', 'The document could not be processed: try again later', busy_seconds),
  NameModelFailed: ({ run_id }) => ({
    ...coded(502, 'name_model_failed', 'The name model returned no usable answer; nothing was charged', {
      retryable: false,
    }),
    ...(run_id === undefined ? {} : { headers: { 'X-Run-Id': run_id } }),
  }),
  RunTakenOver: ({ run_id }) => ({
    ...coded(502, 'name_model_failed', 'The inference was aborted; nothing was charged', { retryable: false }),
    headers: { 'X-Run-Id': run_id },
  }),
  ReadModelBehind: () =>
    later('read_model_behind', 'The read models have not reached the requested position yet: try again'),
  ReadModelsUnavailable: () => later('read_models_unavailable', 'The read models are unavailable: try again later'),
  AppendTooLarge: () =>
    coded(413, 'payload_too_large', 'The change is too large for the event store: split it into smaller requests'),
  AppendUnreadable: () =>
    coded(
      500,
      'unreadable_change',
      'The change was not stored, because of an internal error: it could not be read back',
    ),
  Contention: () => later('contention', 'Too many concurrent writes to this record: try again'),
  UnreadableEvent: ({ stream, revision }) => ({
    ...coded(
      500,
      'unreadable_event',
      `Internal error: the event at revision ${revision} of the record cannot be read`,
      {
        stream,
        revision,
      },
    ),
  }),
  StoreUnavailable: ({ because }) => {
    if (because === 'key_vault')
      return later('key_vault_unavailable', 'The key vault is unavailable: try again later', busy_seconds);
    return because === 'key_missing'
      ? later('key_missing', 'The encryption key of this record is missing', busy_seconds)
      : later('store_unavailable', 'The event store is unavailable: try again later');
  },
};
