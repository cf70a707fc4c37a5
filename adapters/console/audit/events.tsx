import { useState } from 'preact/hooks';
import type { LoggedEvent } from '../../client/index.js';
import { date, number } from '../format.js';
import { pollMs, useQuery } from '../hooks.js';
import type { Session } from '../session.js';
import { Action, Loaded } from '../ui.js';

/** The text filters, with their placeholders. */
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
const pageSize = 50;
const maxNew = 100;

/** The label of a filter, such as `Request id`. */
const titleOf = (field: Field): string => field.charAt(0).toUpperCase() + field.slice(1).replace('_', ' ');

const Entry = ({ event: { position, stream, type, at, actor, data } }: { readonly event: LoggedEvent }) => (
  <li>
    <details>
      <summary>
        <strong>{type}</strong> {stream}{' '}
        <span class="quiet">
          {date(at)} by {actor?.account_id ?? 'the service'}, position {position.replace(/^0+(?=.)/, '')}
        </span>
      </summary>
      <pre>{JSON.stringify(data, null, 2)}</pre>
    </details>
  </li>
);

/** Events that were written since the page was opened, newest first. */
const NewEvents = ({
  client,
  wanted,
}: Pick<Session, 'client'> & { readonly wanted: Readonly<Record<string, string>> }) => {
  const [from] = useState(() => new Date().toISOString());
  const query = useQuery(
    (signal) => client.audit.events({ ...wanted, from, limit: maxNew }, { signal }).toArray(maxNew),
    [JSON.stringify(wanted)],
    pollMs,
  );
  if (query.answer === null || query.answer.length === 0) return null;
  return (
    <details class="since">
      <summary>{number(query.answer.length)} new since you opened this page, newest first</summary>
      <ol class="history">
        {query.answer.toReversed().map((event) => (
          <Entry key={event.event_id} event={event} />
        ))}
      </ol>
    </details>
  );
};

/** The event log with filters. */
export const Events = ({ client }: Pick<Session, 'client'>) => {
  const [filters, setFilters] = useState(none);
  /** The texts in the fields, which become filters when the user leaves a field. */
  const [drafts, setDrafts] = useState(none);
  const [length, setLength] = useState(pageSize);
  const wanted = Object.fromEntries(
    Object.entries(filters)
      .filter(([, value]) => value !== '')
      // The user chooses a local time.
      .map(([field, value]) => [field, field === 'from' || field === 'to' ? new Date(value).toISOString() : value]),
  );
  const query = useQuery(
    (signal) => client.audit.events({ ...wanted, limit: Math.min(1_000, length) }, { signal }).toArray(length),
    [JSON.stringify(wanted), length],
    pollMs,
  );
  return (
    <div class="events">
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        {texts.map((field) => (
          <label key={field}>
            {titleOf(field)}
            <input
              value={drafts[field]}
              placeholder={examples[field]}
              onInput={(event) => setDrafts({ ...drafts, [field]: event.currentTarget.value })}
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
      {filters.from === '' && filters.to === '' && <NewEvents client={client} wanted={wanted} />}
      <Loaded query={query}>
        {(events) => (
          <>
            <ol class="history">
              {events.map((event) => (
                <Entry key={event.event_id} event={event} />
              ))}
            </ol>
            {events.length === 0 && <p class="quiet">No events match these filters.</p>}
            {events.length === length && <Action run={async () => setLength(length + pageSize)}>Show more</Action>}
          </>
        )}
      </Loaded>
    </div>
  );
};
