import { useState } from 'preact/hooks';
import type { LedgerEntry } from '../client/index.js';
import { date, number } from './format.js';
import { useAsked } from './hooks.js';
import { Keys } from './keys.js';
import type { Session } from './session.js';
import { Spending } from './spending.js';
import { Action, Part, Shown } from './ui.js';

const Balance = ({ client, account_id }: Pick<Session, 'client' | 'account_id'>) => {
  const asked = useAsked((signal) => client.credits.get(account_id, { signal }), [account_id]);
  return (
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
                ? 'none'
                : `${number(window.spent)} of ${number(window.limit)} in ${number(window.period_seconds)} s`}
            </dd>
          </div>
        </dl>
      )}
    </Shown>
  );
};

const EntryRow = ({ entry: { at, category, amount, balance_after, reason } }: { readonly entry: LedgerEntry }) => (
  <tr>
    <td class="quiet">{date(at)}</td>
    <td>{category.replace('_', ' ')}</td>
    <td class="number">{number(amount)}</td>
    <td class="number">{number(balance_after)}</td>
    <td>{reason}</td>
  </tr>
);

const portion = 25;

const Ledger = ({ client, account_id }: Pick<Session, 'client' | 'account_id'>) => {
  const [most, setMost] = useState(portion);
  const asked = useAsked(
    (signal) => client.credits.ledger(account_id, { limit: Math.min(1_000, most) }, { signal }).toArray(most),
    [account_id, most],
  );
  return (
    <Shown asked={asked}>
      {(entries) => (
        <>
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">What</th>
                  <th scope="col">Credits</th>
                  <th scope="col">Balance</th>
                  <th scope="col">Reason</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <EntryRow key={entry.entry_id} entry={entry} />
                ))}
              </tbody>
            </table>
          </div>
          {entries.length === most && <Action run={async () => setMost(most + portion)}>Show more</Action>}
        </>
      )}
    </Shown>
  );
};

/** What the account has, what it spent on what, and who may use it. */
export const Account = ({ session }: { readonly session: Session }) => (
  <>
    <h1>Account {session.name}</h1>
    <Balance {...session} />
    <Part title="Spending">
      <Spending {...session} />
    </Part>
    <Part title="Ledger">
      <Ledger {...session} />
    </Part>
    <Part title="Keys">
      <Keys session={session} />
    </Part>
  </>
);
