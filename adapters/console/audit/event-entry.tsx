import type { LoggedEvent } from '../../client/index.js';
import { date, withoutZeros } from '../format.js';

/** Labels of keys, by id; null for keys without one. */
export type Labels = ReadonlyMap<string, string | null>;

/** Who caused an event: the label of the key, or the account and the key. */
const whoOf = ({ actor }: LoggedEvent, labels: Labels): string => {
  if (actor === null) return 'the service';
  return labels.get(actor.key_id) ?? `${actor.account_id}, key ${actor.key_id}`;
};

/** One event: opened, it shows everything that is known of it. */
export const EventEntry = ({
  event,
  labels,
  onRequest,
}: {
  readonly event: LoggedEvent;
  readonly labels: Labels;
  readonly onRequest: (request_id: string) => void;
}) => {
  const { position, revision, event_id, stream, type, version, at, actor, request_id, causation_id, data } = event;
  const facts = [
    ['Account', actor?.account_id ?? 'the service'],
    ['Key', actor === null ? null : `${labels.get(actor.key_id) ?? 'without a label'} (${actor.key_id})`],
    ['Cause', causation_id],
    ['Event id', event_id],
    [
      'Place',
      `${stream}, revision ${revision}; position ${withoutZeros(position)} of the log; version ${version} of the type`,
    ],
    ['Content', event.erased === true ? 'erased' : event.key_missing === true ? 'its encryption key is missing' : null],
  ] as const;
  return (
    <li>
      <details>
        <summary>
          <strong>{type}</strong> {stream}{' '}
          <span class="quiet">
            {date(at)} by {whoOf(event, labels)}, position {withoutZeros(position)}
          </span>
        </summary>
        <dl class="known">
          {request_id !== null && (
            <div>
              <dt>Request</dt>
              <dd>
                <button type="button" class="link" onClick={() => onRequest(request_id)}>
                  {request_id}
                </button>
              </dd>
            </div>
          )}
          {facts.map(
            ([name, value]) =>
              value !== null && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        <pre>{JSON.stringify(data, null, 2)}</pre>
      </details>
    </li>
  );
};
