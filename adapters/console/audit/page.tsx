import type { LateWriteView } from '../../client/index.js';
import { date, words } from '../format.js';
import { live, useAsked } from '../hooks.js';
import type { Session } from '../session.js';
import { Badge, Part, Shown } from '../ui.js';
import { Events } from './events.js';
import { Origin } from './origin.js';
import { Seals } from './seals.js';

const every_ms = 5_000;

const reasonOf = ({ late, late_write_suspected, attribution }: LateWriteView): string => {
  if (late) return 'Came after its run had ended';
  if (late_write_suspected) return 'May be that of an older run';
  return attribution === 'unattributed' ? 'Of no run that is known' : 'Of one of several runs';
};

const LateWrites = ({ client }: Pick<Session, 'client'>) => {
  const asked = useAsked((signal) => client.audit.lateWrites({ limit: 100 }, { signal }).toArray(100), [], live);
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
    </Shown>
  );
};

const State = ({ client }: Pick<Session, 'client'>) => {
  const asked = useAsked(
    async (signal) => {
      const engine = await client.sessions.health({ signal }).catch((error: unknown) => ({ status: words(error) }));
      const instance = await client.service.readiness({ signal }).catch((error: unknown) => ({
        status: 'not ready',
        warnings: [words(error)],
      }));
      return { engine: engine.status, status: instance.status, warnings: instance.warnings ?? [] };
    },
    [],
    every_ms,
  );
  return (
    <Shown asked={asked}>
      {({ status, engine, warnings }) => (
        <>
          <p class="actions">
            <span>
              Store and read models: <Badge tone={status === 'ready' ? 'good' : 'bad'}>{status}</Badge>
            </span>
            <span>
              Realtime engine: <Badge tone={engine === 'ok' ? 'good' : 'wait'}>{engine}</Badge>
            </span>
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
    <Part title="Events" aside={<span class="quiet">the oldest first</span>}>
      <Events client={client} />
    </Part>
  </>
);
