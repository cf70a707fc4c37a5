import type { StoreUnavailable } from '../../application/ports/event-store.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import { type HttpError, coded, later } from './http-error.js';

const busy_seconds = 5;

/** The answers to what keys and erasures refuse. */
export const erasureRefusals = {
  StoreUnavailable: ({ because }: StoreUnavailable): HttpError => {
    if (because === 'key_vault')
      return later('key_vault_unavailable', 'The key vault is unavailable: try again later', busy_seconds);
    return because === 'key_missing'
      ? later('key_missing', 'The encryption key of this record is missing', busy_seconds)
      : later('store_unavailable', 'The event store is unavailable: try again later');
  },
  MediumErased: ({ erased_at }: MediumErased): HttpError =>
    coded(410, 'erased', `The record was erased at ${erased_at}`, { erased_at }),
  LogNotSealed: (): HttpError =>
    coded(
      409,
      'log_not_sealed',
      'The event log contains unencrypted personal data from before encryption was introduced, which cannot be erased. Stop the service and make an encrypted copy: media-analysis events copy --seal-personal --from <data folder>/events.db --to <new folder>/events.db',
    ),
};
