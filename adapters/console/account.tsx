import { useState } from 'preact/hooks';
import type { AccountCredits, LedgerEntry } from '../client/index.js';
import { date, duration, number } from './format.js';
import { type Query, pollMs, useQuery } from './hooks.js';
import { Keys } from './keys.js';
import type { OfAccount, Session } from './session.js';
import { Spending } from './spending.js';
import { Action, Part, Scroll, Loaded } from './ui.js';

const Balance = ({ query }: { readonly query: Query<AccountCredits> }) => (
  <Loaded query={query}>
    {({ balance, held, window }) => (
      <dl class="facts">
        <div>
          <dt>Balance</dt>
          <dd>{number(balance)}</dd>
        </div>
        <div>
          <dt>Reserved for requests in progress</dt>
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
  </Loaded>
);

const EntryRow = ({ entry: { at, category, amount, balance_after, reason } }: { readonly entry: LedgerEntry }) => (
  <tr>
    <td class="quiet" data-label="Time">
      {date(at)}
    </td>
    <td data-label="Type">{category.replace('_', ' ')}</td>
    <td class="number" data-label="Amount">
      {number(amount)}
    </td>
    <td class="number" data-label="Balance after">
      {number(balance_after)}
    </td>
    <td class="words" data-label="Reason">
      {reason}
    </td>
  </tr>
);

const pageSize = 25;

const Ledger = ({ client, account_id, version }: OfAccount) => {
  const [length, setLength] = useState(pageSize);
  const query = useQuery(
    (signal) => client.credits.ledger(account_id, { limit: Math.min(1_000, length) }, { signal }).toArray(length),
    [account_id, length, version],
  );
  return (
    <Loaded query={query}>
      {(entries) =>
        entries.length === 0 ? (
          <p class="quiet">No entries yet. Grants, corrections and charges of this account will appear here.</p>
        ) : (
          <>
            <Scroll label="Ledger entries">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col">Type</th>
                    <th scope="col" class="number">
                      Amount
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
            {entries.length === length && <Action run={async () => setLength(length + pageSize)}>Show more</Action>}
          </>
        )
      }
    </Loaded>
  );
};

/** Balance, spending, ledger and keys of the account. */
export const Account = ({ session }: { readonly session: Session }) => {
  const { client, account_id, name } = session;
  const query = useQuery((signal) => client.credits.get(account_id, { signal }), [account_id], pollMs);
  const booked = { client, account_id, version: String(query.answer?.balance) };
  return (
    <>
      <h1>Account {name}</h1>
      <Balance query={query} />
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
