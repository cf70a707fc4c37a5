import type { StoreUnavailable } from '../../application/ports/event-store.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import { type HttpError, coded, later } from './http-error.js';

const busy_seconds = 5;

/** The answers to what keys and erasures refuse. */
export const erasureRefusals = {
  StoreUnavailable: ({ because }: StoreUnavailable): HttpError => {
    if (because === 'key_vault') return later('key_vault_unavailable', 'The key vault is unavailable', busy_seconds);
    return because === 'key_missing'
      ? later('key_missing', 'The key that protects this record is missing', busy_seconds)
      : later('store_unavailable', 'The event store is unavailable');
  },
  MediumErased: ({ erased_at }: MediumErased): HttpError =>
    coded(410, 'erased', `It was erased at ${erased_at}`, { erased_at }),
  LogNotSealed: (): HttpError =>
    coded(
      409,
      'log_not_sealed',
      'The event log holds personal data in clear, from before it was sealed, and cannot forget. Stop the service, and seal a copy: media-analysis events copy --seal-personal --from <data folder>/events.db --to <new folder>/events.db',
    ),
};
