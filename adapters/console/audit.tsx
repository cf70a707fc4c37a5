import { useState } from 'preact/hooks';
import { date } from './format.js';
import { useAsked } from './hooks.js';
import type { Session } from './session.js';
import { Action, Badge, Part, Shown } from './ui.js';

const fields = ['stream', 'category', 'type', 'actor', 'request_id'] as const;
type Filters = Readonly<Record<(typeof fields)[number], string>>;
const portion = 50;

const Events = ({ client }: Pick<Session, 'client'>) => {
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

const LateWrites = ({ client }: Pick<Session, 'client'>) => {
  const asked = useAsked((signal) => client.audit.lateWrites({ limit: 100 }, { signal }).toArray(100), []);
  return (
    <Shown asked={asked}>
      {(writes) =>
        writes.length === 0 ? (
          <p class="quiet">No answer of a worker came late or was ambiguous.</p>
        ) : (
          <ol class="history">
            {writes.map((write, at) => (
              <li key={at}>
                <details>
                  <summary>
                    {date(write.at)} {write.video_id} {write.status} {write.reason}
                  </summary>
                  <pre>{JSON.stringify(write, null, 2)}</pre>
                </details>
              </li>
            ))}
          </ol>
        )
      }
    </Shown>
  );
};

const State = ({ client }: Pick<Session, 'client'>) => {
  const asked = useAsked((signal) => client.service.readiness({ signal }), []);
  return (
    <Shown asked={asked}>
      {({ status, warnings = [] }) => (
        <>
          <Badge tone="good">{status}</Badge>
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </>
      )}
    </Shown>
  );
};

/** For administrators: every event, and what was written late. */
export const Audit = ({ session }: { readonly session: Session }) => (
  <>
    <h1>Audit</h1>
    <Part title="State of this instance">
      <State client={session.client} />
    </Part>
    <Part title="Late writes">
      <LateWrites client={session.client} />
    </Part>
    <Part title="Events">
      <Events client={session.client} />
    </Part>
  </>
);
