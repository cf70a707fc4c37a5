import * as t from 'io-ts';
import { nullable, Actor } from '../../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { pageOf } from './page.js';

const shown = {
  position: t.string,
  revision: t.number,
  event_id: t.string,
  /** Without the version, which is a field of its own. */
  type: t.string,
  version: t.number,
  at: nullable(Timestamp),
  actor: nullable(Actor),
  request_id: nullable(t.string),
  causation_id: nullable(t.string),
  data: t.unknown,
};

/** Why `data` is null: it was erased, or its encryption key is missing. */
const Withheld = t.partial({ erased: t.literal(true), key_missing: t.literal(true) });

/** An event of a record. */
const HistoryEvent = t.intersection([t.type(shown), Withheld], 'HistoryEvent');
export const HistoryPage = pageOf('events', HistoryEvent, 'HistoryPage');

/** An event of the log as it is stored, even if no current codec can decode it. */
const LoggedEvent = t.intersection([t.type({ ...shown, stream: t.string }), Withheld], 'LoggedEvent');
export const LogPage = pageOf('events', LoggedEvent, 'LogPage');
