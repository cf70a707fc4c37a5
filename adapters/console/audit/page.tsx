import { ApiError, type LateWriteView } from '../../client/index.js';
import { date, number, messageOf } from '../format.js';
import { pollMs, useQuery } from '../hooks.js';
import { fieldOf } from '../json.js';
import type { Session } from '../session.js';
import { Badge, Part, Loaded } from '../ui.js';
import { Events } from './events.js';
import { Origin } from './origin.js';

const statePollMs = 5_000;

const reasonOf = ({ late, late_write_suspected, attribution }: LateWriteView): string => {
  if (late) return 'Arrived after its run had ended';
  if (late_write_suspected) return 'May belong to an older run';
  return attribution === 'unattributed' ? 'Belongs to no known run' : 'May belong to any of several runs';
};

const LateWrites = ({ client }: Pick<Session, 'client'>) => {
  const query = useQuery((signal) => client.audit.lateWrites({ limit: 100 }, { signal }).toArray(100), [], pollMs);
  return (
    <Loaded query={query}>
      {(writes) =>
        writes.length === 0 ? (
          <p class="quiet">No result of a worker arrived late or was ambiguous.</p>
        ) : (
          <ol class="history">
            {writes.map((write, at) => (
              <li key={at}>
                <details>
                  <summary>
                    <strong>{reasonOf(write)}</strong> video {write.video_id}, {write.status}{' '}
                    <span class="quiet">{date(write.at)}</span>
                  </summary>
                  <pre>{JSON.stringify(write, null, 2)}</pre>
                </details>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
};

const Readiness = ({ client }: Pick<Session, 'client'>) => {
  const query = useQuery(
    async (signal) => {
      const { status, warnings = [] } = await client.service.readiness({ signal }).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: 'not ready', warnings: [messageOf(error)] };
      });
      return { status, warnings };
    },
    [],
    statePollMs,
  );
  return (
    <Loaded query={query}>
      {({ status, warnings }) => (
        <>
          <p>
            Store and read models: <Badge tone={status === 'ready' ? 'good' : 'bad'}>{status}</Badge>
          </p>
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </>
      )}
    </Loaded>
  );
};

/** Has a query of its own: the first one starts the engine, which takes longer than everything else on the page. */
const RealtimeEngine = ({ client }: Pick<Session, 'client'>) => {
  const query = useQuery(
    (signal) =>
      client.sessions.health({ signal }).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: messageOf(error) };
      }),
    [],
    statePollMs,
  );
  return (
    <Loaded query={query}>
      {({ status }) => (
        <p>
          Realtime engine: <Badge tone={status === 'ok' ? 'good' : 'wait'}>{status}</Badge>
        </p>
      )}
    </Loaded>
  );
};

/** The newest seal. The log is checked before it is sealed, so a seal says when and up to where it was intact. */
const Seals = ({ client }: Pick<Session, 'client'>) => {
  const query = useQuery(
    async (signal) => {
      const [last = null] = await client.audit
        .events({ type: 'LogSealed', order: 'desc', limit: 1 }, { signal })
        .toArray(1);
      return { last };
    },
    [],
    statePollMs,
  );
  return (
    <>
      <Loaded query={query}>
        {({ last }) =>
          last === null ? (
            <p class="quiet">The event log has not been sealed yet.</p>
          ) : (
            <p>
              <Badge tone="good">intact</Badge> when the event log was last checked and sealed, on {date(last.at)}, up
              to position {last.position}: {number(Number(fieldOf(last.data, 'events')))} events.
            </p>
          )
        }
      </Loaded>
      <p class="quiet">
        Run <code>media-analysis audit verify</code> to check the log now, or <code>media-analysis audit seal</code> to
        check and seal it.
      </p>
    </>
  );
};

const Parts = ({ client }: Pick<Session, 'client'>) => (
  <>
    <Part title="State of this instance">
      <Readiness client={client} />
      <RealtimeEngine client={client} />
    </Part>
    <Part title="Seals of the event log">
      <Seals client={client} />
    </Part>
    <Part title="Origin of a name or match">
      <Origin client={client} />
    </Part>
    <Part title="Late writes">
      <LateWrites client={client} />
    </Part>
    <Part title="Events" aside={<span class="quiet">newest first</span>}>
      <Events client={client} />
    </Part>
  </>
);

/** For administrators: seals of the log, origin of names and matches, late writes, and all events. */
export const Audit = ({ session: { client, admin } }: { readonly session: Session }) => (
  <>
    <h1>Audit</h1>
    {admin ? <Parts client={client} /> : <p>This page is for administrators. Your key is not one of them.</p>}
  </>
);
