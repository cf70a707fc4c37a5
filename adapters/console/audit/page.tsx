import { useState } from 'preact/hooks';
import { ApiError, type LateWriteView } from '../../client/index.js';
import { Choose, Field } from '../fields.js';
import { date, messageOf, number } from '../format.js';
import { pollMs, useQuery } from '../hooks.js';
import { fieldOf, isFields, listOf } from '../json.js';
import type { Session } from '../session.js';
import { Badge, Loaded, Part } from '../ui.js';
import { EventSummary, changesIn, eventsOf, type RecordEvent } from '../video/history.js';
import { Events } from './events.js';

const kinds = { face: 'video', speaker: 'audio' } as const;
type Kind = keyof typeof kinds;

interface Wanted {
  readonly kind: Kind;
  readonly record: string;
  readonly id: string;
}

/** Whether an analysis found the face or speaker; of an erased one that is not known. */
const isFoundIn = (data: unknown, { kind, id }: Wanted): boolean => {
  if (!isFields(data)) return true;
  return kind === 'face'
    ? listOf(data['faces']).some((face) => String(face['id'] ?? face['face_id']) === id)
    : listOf(data['speakers']).some((speaker) => String(speaker['speaker_id'] ?? speaker['id']) === id);
};

/** Whether an event changed the face or speaker, or recorded an analysis with it. */
const isAbout = ({ event }: RecordEvent, wanted: Wanted): boolean =>
  event.type.endsWith('AnalysisRecorded')
    ? isFoundIn(event.data, wanted)
    : changesIn(event).some((line) => line.startsWith(`${wanted.kind} ${wanted.id}:`));

/** The changes that gave a face or a speaker its name, role and match, newest first. */
const Changes = ({ client, wanted }: Pick<Session, 'client'> & { readonly wanted: Wanted }) => {
  const query = useQuery(
    async (signal) => {
      const found: RecordEvent[] = [];
      for await (const one of eventsOf(client, kinds[wanted.kind], wanted.record, signal))
        if (isAbout(one, wanted)) found.unshift(one);
      return found;
    },
    [wanted.kind, wanted.record, wanted.id],
  );
  return (
    <Loaded query={query}>
      {(found) =>
        found.length === 0 ? (
          <p class="quiet">
            There is no {wanted.kind} {wanted.id} in the {kinds[wanted.kind]} {wanted.record}, and there never was.
          </p>
        ) : (
          <ol class="history">
            {found.map((recordEvent) => (
              <li key={recordEvent.event.event_id}>
                <EventSummary recordEvent={recordEvent} />
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
};

/** A form to trace where a name, role or match comes from, like the command `audit explain`. */
const Origin = ({ client }: Pick<Session, 'client'>) => {
  const [form, setForm] = useState<Wanted>({ kind: 'face', record: '', id: '' });
  const [wanted, setWanted] = useState<Wanted | null>(null);
  return (
    <>
      <p class="quiet">Find the changes that gave a face or a speaker its name, role and match. Newest first.</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setWanted(form);
        }}
      >
        <Choose
          label="Kind"
          options={[
            ['face', 'face'],
            ['speaker', 'speaker'],
          ]}
          value={form.kind}
          onChoose={(kind) => {
            setForm({ ...form, kind });
            setWanted(null);
          }}
        />
        <Field
          label={kinds[form.kind] === 'video' ? 'Video id' : 'Audio id'}
          required
          value={form.record}
          onText={(text) => setForm({ ...form, record: text.trim() })}
        />
        <Field
          label={form.kind === 'face' ? 'Face id' : 'Speaker id'}
          required
          pattern="[0-9]+"
          inputMode="numeric"
          value={form.id}
          onText={(text) => setForm({ ...form, id: text.trim() })}
        />
        <button type="submit">Explain</button>
      </form>
      {wanted !== null && <Changes client={client} wanted={wanted} />}
    </>
  );
};

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
