import * as E from 'fp-ts/lib/Either.js';
import type { Application } from '../../application/application.js';
import type { EventLog } from './event-log.js';
import type { Readiness } from '../http/open-endpoints.js';
import type { ReadModels } from '../read-models/open.js';

/** Why the event log cannot be used, as a sentence; null if it can be used. */
const storeTrouble = async ({ store }: Application, { trouble, vault }: EventLog): Promise<string | null> => {
  const known = trouble();
  if (known !== null) return known;
  const head = await store.head()();
  if (E.isLeft(head)) return trouble() ?? `the event store cannot be reached: ${head.left.reason}`;
  const checked = await vault.check()();
  return E.isLeft(checked) ? checked.left.reason : null;
};

/** Whether the service is ready: the log answers, the read models have caught up, and every process is running. */
export const readinessOf =
  (
    app: Application,
    events: EventLog,
    readModels: ReadModels,
    stopped: () => ReadonlyArray<string>,
    warnings: () => ReadonlyArray<string>,
  ): Readiness =>
  async () => {
    const trouble = await storeTrouble(app, events);
    const { caught_up, failure } = readModels.status();
    const reasons = [
      ...(trouble === null ? [] : [trouble]),
      ...(caught_up ? [] : ['the read models are catching up']),
      ...(failure === null ? [] : [`the read models stopped: ${failure.reason}`]),
      ...stopped(),
    ];
    return { ready: reasons.length === 0, reasons, warnings: [...events.warnings(), ...warnings()] };
  };
