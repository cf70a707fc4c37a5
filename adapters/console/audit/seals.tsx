import { date, number } from '../format.js';
import { useAsked } from '../hooks.js';
import { fieldOf } from '../json.js';
import type { Session } from '../session.js';
import { Badge, Shown } from '../ui.js';

const every_ms = 5_000;

/** A log is checked before it is sealed: the newest seal says when, and how far, nothing was wrong. */
export const Seals = ({ client }: Pick<Session, 'client'>) => {
  const asked = useAsked(
    async (signal) => {
      const seals = await client.audit.events({ type: 'LogSealed', limit: 1_000 }, { signal }).toArray();
      return { last: seals.at(-1) ?? null };
    },
    [],
    every_ms,
  );
  return (
    <>
      <Shown asked={asked}>
        {({ last }) =>
          last === null ? (
            <p class="quiet">The log was never sealed.</p>
          ) : (
            <p>
              <Badge tone="good">nothing was wrong</Badge> when the log was checked and sealed on {date(last.at)}, up to
              position {last.position}: {number(Number(fieldOf(last.data, 'events')))} events.
            </p>
          )
        }
      </Shown>
      <p class="quiet">
        <code>media-analysis audit verify</code> checks it now; <code>media-analysis audit seal</code> checks and seals.
      </p>
    </>
  );
};
