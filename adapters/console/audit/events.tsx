import { useState } from 'preact/hooks';
import { date } from '../format.js';
import { useAsked } from '../hooks.js';
import type { Session } from '../session.js';
import { Action, Shown } from '../ui.js';

const fields = ['stream', 'category', 'type', 'actor', 'request_id'] as const;
type Filters = Readonly<Record<(typeof fields)[number], string>>;
const portion = 50;

/** All events of the log, narrowed as one likes. */
export const Events = ({ client }: Pick<Session, 'client'>) => {
  const [filters, setFilters] = useState<Filters>({ stream: '', category: '', type: '', actor: '', request_id: '' });
  const [most, setMost] = useState(portion);
  const wanted = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const asked = useAsked(
    (signal) => client.audit.events({ ...wanted, limit: Math.min(1_000, most) }, { signal }).toArray(most),
    [JSON.stringify(wanted), most],
  );
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        {fields.map((field) => (
          <label key={field}>
            {field.replace('_', ' ')}
            <input
              value={filters[field]}
              onChange={(event) => setFilters({ ...filters, [field]: event.currentTarget.value.trim() })}
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
                        {date(at)} by {actor?.account_id ?? 'nobody'}, at {position}
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
