import { date, words } from '../format.js';
import { useAsked, useEvery } from '../hooks.js';
import type { Session } from '../session.js';
import { Badge, Part, Shown } from '../ui.js';
import { Events } from './events.js';
import { Origin } from './origin.js';
import { Seals } from './seals.js';

const every_ms = 5_000;

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
  const asked = useAsked(async (signal) => {
    const engine = await client.sessions.health({ signal }).catch((error: unknown) => ({ status: words(error) }));
    const instance = await client.service.readiness({ signal }).catch((error: unknown) => ({
      status: 'not ready',
      warnings: [words(error)],
    }));
    return { engine: engine.status, status: instance.status, warnings: instance.warnings ?? [] };
  }, []);
  useEvery(every_ms, async () => asked.isLoading || asked.refresh());
  return (
    <Shown asked={asked}>
      {({ status, engine, warnings }) => (
        <>
          <p>
            Store and read models: <Badge tone={status === 'ready' ? 'good' : 'bad'}>{status}</Badge> Realtime engine:{' '}
            <Badge>{engine}</Badge>
          </p>
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </>
      )}
    </Shown>
  );
};

/** For administrators: whether the log is whole, where things come from, what was late, and every event. */
export const Audit = ({ session: { client } }: { readonly session: Session }) => (
  <>
    <h1>Audit</h1>
    <Part title="State of this instance">
      <State client={client} />
    </Part>
    <Part title="Checked and sealed">
      <Seals client={client} />
    </Part>
    <Part title="Where it comes from">
      <Origin client={client} />
    </Part>
    <Part title="Late writes">
      <LateWrites client={client} />
    </Part>
    <Part title="Events">
      <Events client={client} />
    </Part>
  </>
);
