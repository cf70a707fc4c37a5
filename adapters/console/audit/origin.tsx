import { useState } from 'preact/hooks';
import { useAsked } from '../hooks.js';
import type { Session } from '../session.js';
import { Shown } from '../ui.js';
import { changesIn } from '../video/explain.js';
import { type Happening, Told, happeningsOf } from '../video/history.js';

const kinds = { face: 'video', speaker: 'audio' } as const;
type Kind = keyof typeof kinds;

interface Wanted {
  readonly kind: Kind;
  readonly record: string;
  readonly id: string;
}

/** An analysis is where every face and speaker begins. */
const isAbout = ({ event }: Happening, { kind, id }: Wanted): boolean =>
  event.type.endsWith('AnalysisRecorded') || changesIn(event).some((line) => line.startsWith(`${kind} ${id}:`));

/** Which changes gave a face or a speaker its name, role and match, the newest first. */
const Changes = ({ client, wanted }: Pick<Session, 'client'> & { readonly wanted: Wanted }) => {
  const asked = useAsked(
    async (signal) => {
      const found: Happening[] = [];
      for await (const one of happeningsOf(client, kinds[wanted.kind], wanted.record, signal))
        if (isAbout(one, wanted)) found.unshift(one);
      return found;
    },
    [wanted.kind, wanted.record, wanted.id],
  );
  return (
    <Shown asked={asked}>
      {(found) =>
        found.length === 0 ? (
          <p class="quiet">Nothing was ever written about it.</p>
        ) : (
          <ol class="history">
            {found.map((happening) => (
              <li key={happening.event.event_id}>
                <Told happening={happening} />
              </li>
            ))}
          </ol>
        )
      }
    </Shown>
  );
};

/** Asks where a name, a role or a match comes from, as the command `audit explain` does. */
export const Origin = ({ client }: Pick<Session, 'client'>) => {
  const [form, setForm] = useState<Wanted>({ kind: 'face', record: '', id: '' });
  const [wanted, setWanted] = useState<Wanted | null>(null);
  return (
    <>
      <p class="quiet">Which changes gave a face or a speaker its name, its role and its match, the newest first.</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setWanted(form);
        }}
      >
        <label>
          What
          <select
            value={form.kind}
            onChange={({ currentTarget: { value } }) =>
              setForm({ ...form, kind: value === 'speaker' ? 'speaker' : 'face' })
            }
          >
            <option>face</option>
            <option>speaker</option>
          </select>
        </label>
        <label>
          Id of its {kinds[form.kind]}
          <input
            required
            value={form.record}
            onInput={(event) => setForm({ ...form, record: event.currentTarget.value.trim() })}
          />
        </label>
        <label>
          Its number
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
