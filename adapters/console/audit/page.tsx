import { useState } from 'preact/hooks';
import { ApiError, type LateWriteView } from '../../client/index.js';
import { Choose, Field, Form } from '../fields.js';
import { date, messageOf, number } from '../format.js';
import { pollMs, useQuery } from '../hooks.js';
import { fieldOf, isFields, listOf } from '../json.js';
import { useClient, useSignedIn } from '../session.js';
import { Badge, Loaded, LoadedList, Part } from '../ui.js';
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
const Changes = ({ wanted }: { readonly wanted: Wanted }) => {
  const client = useClient();
  const { kind, record, id } = wanted;
  const query = useQuery(
    async (signal) => {
      const found: RecordEvent[] = [];
      for await (const one of eventsOf(client, kinds[kind], record, signal))
        if (isAbout(one, wanted)) found.unshift(one);
      return found;
    },
    [kind, record, id],
  );
  return (
    <LoadedList query={query} empty={`There is no ${kind} ${id} in the ${kinds[kind]} ${record}, and there never was.`}>
      {(found) => (
        <ol class="history">
          {found.map((recordEvent) => (
            <li key={recordEvent.event.event_id}>
              <EventSummary recordEvent={recordEvent} />
            </li>
          ))}
        </ol>
      )}
    </LoadedList>
  );
};

/** A form to trace where a name, role or match comes from, like the command `audit explain`. */
const Origin = () => {
  const [form, setForm] = useState<Wanted>({ kind: 'face', record: '', id: '' });
  const [wanted, setWanted] = useState<Wanted | null>(null);
  return (
    <>
      <p class="quiet">Find the changes that gave a face or a speaker its name, role and match. Newest first.</p>
      <Form class="filters" onSubmit={() => setWanted(form)}>
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
      </Form>
      {wanted !== null && <Changes wanted={wanted} />}
    </>
  );
};

const statePollMs = 5_000;

const reasonOf = ({ late, late_write_suspected, attribution }: LateWriteView): string => {
  if (late) return 'Arrived after its run had ended';
  if (late_write_suspected) return 'May belong to an older run';
  return attribution === 'unattributed' ? 'Belongs to no known run' : 'May belong to any of several runs';
};

const LateWrites = () => {
  const client = useClient();
  const query = useQuery((signal) => client.audit.lateWrites({ limit: 100 }, { signal }).toArray(100), [], pollMs);
  return (
    <LoadedList query={query} empty="No result of a worker arrived late or was ambiguous.">
      {(writes) => (
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
      )}
    </LoadedList>
  );
};

/** An answer of the service, or its refusal as a status. */
const statusOf = (error: unknown): { readonly status: string } => {
  if (!(error instanceof ApiError)) throw error;
  return { status: messageOf(error) };
};

const Readiness = () => {
  const client = useClient();
  const query = useQuery((signal) => client.service.readiness({ signal }).catch(statusOf), [], statePollMs);
  return (
    <Loaded query={query}>
      {({ status, ...rest }) => (
        <>
          <p>
            Store and read models: <Badge tone={status === 'ready' ? 'good' : 'bad'}>{status}</Badge>
          </p>
          {'warnings' in rest && rest.warnings?.map((warning) => <p key={warning}>{warning}</p>)}
        </>
      )}
    </Loaded>
  );
};

/** Has a query of its own: the first one starts the engine, which takes longer than everything else on the page. */
const RealtimeEngine = () => {
  const client = useClient();
  const query = useQuery((signal) => client.sessions.health({ signal }).catch(statusOf), [], statePollMs);
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
const Seals = () => {
  const client = useClient();
  const query = useQuery(
    (signal) => client.audit.events({ type: 'LogSealed', order: 'desc', limit: 1 }, { signal }).toArray(1),
    [],
    statePollMs,
  );
  return (
    <>
      <LoadedList query={query} empty="The event log has not been sealed yet.">
        {([last]) =>
          last !== undefined && (
            <p>
              <Badge tone="good">intact</Badge> when the event log was last checked and sealed, on {date(last.at)}, up
              to position {last.position}: {number(Number(fieldOf(last.data, 'events')))} events.
            </p>
          )
        }
      </LoadedList>
      <p class="quiet">
        Run <code>media-analysis audit verify</code> to check the log now, or <code>media-analysis audit seal</code> to
        check and seal it.
      </p>
    </>
  );
};

/** For administrators: seals of the log, origin of names and matches, late writes, and all events. */
export const Audit = () => {
  const { admin } = useSignedIn();
  return (
    <>
      <h1>Audit</h1>
      {admin ? (
        <>
          <Part title="State of this instance">
            <Readiness />
            <RealtimeEngine />
          </Part>
          <Part title="Seals of the event log">
            <Seals />
          </Part>
          <Part title="Origin of a name or match">
            <Origin />
          </Part>
          <Part title="Late writes">
            <LateWrites />
          </Part>
          <Part title="Events" aside={<span class="quiet">newest first</span>}>
            <Events />
          </Part>
        </>
      ) : (
        <p>This page is for administrators. Your key is not one of them.</p>
      )}
    </>
  );
};
