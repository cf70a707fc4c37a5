import { useState } from 'preact/hooks';
import { date } from '../format.js';
import { live, useAsked } from '../hooks.js';
import type { Session } from '../session.js';
import { Action, Shown } from '../ui.js';

/** What narrows the selection, with an example of each. */
const examples = {
  stream: 'video-…',
  category: 'video',
  type: 'FacesMatched',
  actor: 'account or key',
  request_id: '',
};
const texts = ['stream', 'category', 'type', 'actor', 'request_id'] as const;
const times = ['from', 'to'] as const;
type Field = (typeof texts)[number] | (typeof times)[number];
const none: Readonly<Record<Field, string>> = {
  stream: '',
  category: '',
  type: '',
  actor: '',
  request_id: '',
  from: '',
  to: '',
};
const portion = 50;

/** Its words, as a label has them: `Request id`. */
const titleOf = (field: Field): string => field.charAt(0).toUpperCase() + field.slice(1).replace('_', ' ');

/** All events of the log, narrowed as one likes. */
export const Events = ({ client }: Pick<Session, 'client'>) => {
  const [filters, setFilters] = useState(none);
  const [most, setMost] = useState(portion);
  const wanted = Object.fromEntries(
    Object.entries(filters)
      .filter(([, value]) => value !== '')
      // A time is chosen on the reader's clock.
      .map(([field, value]) => [field, field === 'from' || field === 'to' ? new Date(value).toISOString() : value]),
  );
  const asked = useAsked(
    (signal) => client.audit.events({ ...wanted, limit: Math.min(1_000, most) }, { signal }).toArray(most),
    [JSON.stringify(wanted), most],
    live,
  );
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        {texts.map((field) => (
          <label key={field}>
            {titleOf(field)}
            <input
              value={filters[field]}
              placeholder={examples[field]}
              onChange={(event) => setFilters({ ...filters, [field]: event.currentTarget.value.trim() })}
            />
          </label>
        ))}
        {times.map((field) => (
          <label key={field}>
            {titleOf(field)}
            <input
              type="datetime-local"
              value={filters[field]}
              onChange={(event) => setFilters({ ...filters, [field]: event.currentTarget.value })}
            />
          </label>
        ))}
      </form>
      <Shown asked={asked}>
        {(events) => (
          <>
            <ol class="history">
              {events.map(({ event_id, position, stream, type, at, actor, data }) => (
                <li key={event_id}>
                  <details>
                    <summary>
                      <strong>{type}</strong> {stream}{' '}
                      <span class="quiet">
                        {date(at)} by {actor?.account_id ?? 'nobody'}, at {position.replace(/^0+(?=.)/, '')}
                      </span>
                    </summary>
                    <pre>{JSON.stringify(data, null, 2)}</pre>
                  </details>
                </li>
              ))}
            </ol>
            {events.length === 0 && <p class="quiet">No event is like that.</p>}
            {events.length === most && <Action run={async () => setMost(most + portion)}>Show more</Action>}
          </>
        )}
      </Shown>
    </>
  );
};
