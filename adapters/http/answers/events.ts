import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { Actor } from '../../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { pageOf } from './page.js';

const shown = {
  position: t.string,
  revision: t.number,
  event_id: t.string,
  /** Without its version, which stands beside it. */
  type: t.string,
  version: t.number,
  at: nullable(Timestamp),
  actor: nullable(Actor),
  request_id: nullable(t.string),
  causation_id: nullable(t.string),
  data: t.unknown,
};

/** An event of a record. */
const HistoryEvent = t.type(shown, 'HistoryEvent');
export const HistoryPage = pageOf('events', HistoryEvent, 'HistoryPage');

/** An event of the log: as it is stored, whether or not a codec of today reads it. */
const LoggedEvent = t.type({ ...shown, stream: t.string }, 'LoggedEvent');
export const LogPage = pageOf('events', LoggedEvent, 'LogPage');
