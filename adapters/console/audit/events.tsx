import { useState } from 'preact/hooks';
import type { LoggedEvent } from '../../client/index.js';
import { date, number } from '../format.js';
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
const mostNew = 100;

/** Its words, as a label has them: `Request id`. */
const titleOf = (field: Field): string => field.charAt(0).toUpperCase() + field.slice(1).replace('_', ' ');

const Entry = ({ event: { position, stream, type, at, actor, data } }: { readonly event: LoggedEvent }) => (
  <li>
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
);

/** What was written since the page was opened, the newest first. */
const Since = ({ client, wanted }: Pick<Session, 'client'> & { readonly wanted: Readonly<Record<string, string>> }) => {
  const [from] = useState(() => new Date().toISOString());
  const asked = useAsked(
    (signal) => client.audit.events({ ...wanted, from, limit: mostNew }, { signal }).toArray(mostNew),
    [JSON.stringify(wanted)],
    live,
  );
  if (asked.answer === null || asked.answer.length === 0) return null;
  return (
    <details class="since">
      <summary>{number(asked.answer.length)} since this page was opened, the newest first</summary>
      <ol class="history">
        {asked.answer.toReversed().map((event) => (
          <Entry key={event.event_id} event={event} />
        ))}
      </ol>
    </details>
  );
};

/** All events of the log, narrowed as one likes. */
export const Events = ({ client }: Pick<Session, 'client'>) => {
  const [filters, setFilters] = useState(none);
  /** What is written before it counts: the page is drawn anew while somebody writes. */
  const [drafts, setDrafts] = useState(none);
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
      {filters.from === '' && filters.to === '' && <Since client={client} wanted={wanted} />}
      <Shown asked={asked}>
        {(events) => (
          <>
            <ol class="history">
              {events.map((event) => (
                <Entry key={event.event_id} event={event} />
              ))}
            </ol>
            {events.length === 0 && <p class="quiet">No event is like that.</p>}
            {events.length === most && <Action run={async () => setMost(most + portion)}>Show more</Action>}
          </>
        )}
      </Shown>
    </div>
  );
};
