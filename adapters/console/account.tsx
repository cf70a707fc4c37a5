import { useState } from 'preact/hooks';
import type { AccountCredits, LedgerEntry } from '../client/index.js';
import { date, duration, number } from './format.js';
import { type Asked, live, useAsked } from './hooks.js';
import { Keys } from './keys.js';
import type { OfAccount, Session } from './session.js';
import { Spending } from './spending.js';
import { Action, Part, Scroll, Shown } from './ui.js';

const Balance = ({ asked }: { readonly asked: Asked<AccountCredits> }) => (
  <Shown asked={asked}>
    {({ balance, held, window }) => (
      <dl class="facts">
        <div>
          <dt>Balance</dt>
          <dd>{number(balance)}</dd>
        </div>
        <div>
          <dt>Held by calls under way</dt>
          <dd>{number(held)}</dd>
        </div>
        <div>
          <dt>Spending window</dt>
          <dd>
            {window === null
              ? 'no limit'
              : `${number(window.spent)} of ${number(window.limit)} in ${duration(window.period_seconds)}`}
          </dd>
        </div>
      </dl>
    )}
  </Shown>
);

const EntryRow = ({ entry: { at, category, amount, balance_after, reason } }: { readonly entry: LedgerEntry }) => (
  <tr>
    <td class="quiet">{date(at)}</td>
    <td>{category.replace('_', ' ')}</td>
    <td class="number">{number(amount)}</td>
    <td class="number">{number(balance_after)}</td>
    <td class="words">{reason}</td>
  </tr>
);

const portion = 25;

const Ledger = ({ client, account_id, version }: OfAccount) => {
  const [most, setMost] = useState(portion);
  const asked = useAsked(
    (signal) => client.credits.ledger(account_id, { limit: Math.min(1_000, most) }, { signal }).toArray(most),
    [account_id, most, version],
  );
  return (
    <Shown asked={asked}>
      {(entries) =>
        entries.length === 0 ? (
          <p class="quiet">Nothing was booked yet.</p>
        ) : (
          <>
            <Scroll label="Entries of the ledger">
              <table>
                <thead>
                  <tr>
                    <th scope="col">When</th>
                    <th scope="col">What</th>
                    <th scope="col" class="number">
                      Credits
                    </th>
                    <th scope="col" class="number">
                      Balance after
                    </th>
                    <th scope="col">Reason</th>
                  </tr>
                </thead>
                <tbody>
                  {entries.map((entry) => (
                    <EntryRow key={entry.entry_id} entry={entry} />
                  ))}
                </tbody>
              </table>
            </Scroll>
            {entries.length === most && <Action run={async () => setMost(most + portion)}>Show more</Action>}
          </>
        )
      }
    </Shown>
  );
};

/** What the account has, what it spent on what, and who may use it. */
export const Account = ({ session }: { readonly session: Session }) => {
  const { client, account_id, name } = session;
  const asked = useAsked((signal) => client.credits.get(account_id, { signal }), [account_id], live);
  const booked = { client, account_id, version: String(asked.answer?.balance) };
  return (
    <>
      <h1>Account {name}</h1>
      <Balance asked={asked} />
      <Part title="Spending">
        <Spending {...booked} />
      </Part>
      <Part title="Ledger">
        <Ledger {...booked} />
      </Part>
      <Part title="Keys">
        <Keys session={session} />
      </Part>
    </>
  );
};
