import { useState } from 'preact/hooks';
import { useQuery } from '../hooks.js';
import { isFields, listOf } from '../json.js';
import type { Session } from '../session.js';
import { Loaded } from '../ui.js';
import { changesIn } from '../video/explain.js';
import { type RecordEvent, EventSummary, eventsOf } from '../video/history.js';

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
export const Origin = ({ client }: Pick<Session, 'client'>) => {
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
        <label>
          Kind
          <select
            value={form.kind}
            onChange={({ currentTarget: { value } }) => {
              setForm({ ...form, kind: value === 'speaker' ? 'speaker' : 'face' });
              setWanted(null);
            }}
          >
            <option>face</option>
            <option>speaker</option>
          </select>
        </label>
        <label>
          {kinds[form.kind] === 'video' ? 'Video id' : 'Audio id'}
          <input
            required
            value={form.record}
            onInput={(event) => setForm({ ...form, record: event.currentTarget.value.trim() })}
          />
        </label>
        <label>
          {form.kind === 'face' ? 'Face id' : 'Speaker id'}
          <input
            required
            pattern="[0-9]+"
            inputMode="numeric"
            value={form.id}
            onInput={(event) => setForm({ ...form, id: event.currentTarget.value.trim() })}
          />
        </label>
        <button type="submit">Explain</button>
      </form>
      {wanted !== null && <Changes client={client} wanted={wanted} />}
    </>
  );
};
