import { useState } from 'preact/hooks';
import type { AccountCredits, ApiKey, NewKey } from '../client/index.js';
import { Check, Field, Form } from './fields.js';
import { date, day as formatDay, duration, measure, number } from './format.js';
import { pollMs, type Query, useQuery } from './hooks.js';
import { type Session, useSignedIn } from './session.js';
import { Action, Badge, Facts, Loaded, LoadedList, Notice, Part, WideTable } from './ui.js';

const days = 30;

const firstDay = (): string => new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);

/** What changes with each booking, so that a section is fetched again. */
interface Booked {
  readonly version: string;
}

/** Spending by day and category, the newest first, each with a bar. */
const Spending = ({ version }: Booked) => {
  const { client, account_id } = useSignedIn();
  const query = useQuery(
    (signal) => client.credits.usage(account_id, { from: firstDay(), group_by: 'day,category' }, { signal }),
    [account_id, version],
  );
  return (
    <Loaded query={query}>
      {({ groups, total }) =>
        total.charges === 0 ? (
          <p class="quiet">No credits were spent in the last {number(days)} days.</p>
        ) : (
          <div class="spending">
            <p>
              {number(total.amount)} credits in {number(total.charges)} {total.charges === 1 ? 'charge' : 'charges'} in
              the last {number(days)} days
            </p>
            <WideTable
              label="Credits spent on each day"
              rows={groups.toReversed()}
              keyOf={({ day = '', category }) => `${day} ${category}`}
              columns={[
                { title: 'Day (UTC)', of: ({ day = '' }) => formatDay(day) },
                { title: 'Category', of: ({ category }) => category?.replace('_', ' ') },
                { title: 'Charges', kind: 'number', of: ({ charges }) => number(charges) },
                { title: 'Credits', kind: 'number', of: ({ amount }) => number(amount) },
                {
                  title: 'Compared with the others',
                  isTitleHidden: true,
                  of: ({ amount }) => (
                    <meter max={Math.max(...groups.map((group) => group.amount))} value={amount} aria-hidden="true" />
                  ),
                },
              ]}
            />
          </div>
        )
      }
    </Loaded>
  );
};

type Key = Omit<ApiKey, 'account_id' | 'made_by' | 'created_at'>;

/** The rights of a key, which are also those that it can give to new keys. */
const rightsOf = ({ admin, permissions }: Pick<Session, 'admin' | 'permissions'>): ReadonlyArray<string> => [
  ...(admin ? ['admin'] : []),
  ...permissions,
];

/** What a right means, where giving it away is dangerous. */
const warnings: Readonly<Record<string, string>> = {
  admin: 'everything, on all accounts',
  WORKER: 'reads and writes the recordings of all accounts',
  MEDIA_WRITE: 'reads the transcripts of all accounts and names their speakers',
};

const maxHours = 24;

/** How many hours a new key lives at most: it ends with the key of this session. */
const hoursLeft = ({ expires_at }: Session): number =>
  expires_at === null ? maxHours : Math.min(maxHours, (Date.parse(expires_at) - Date.now()) / 3_600_000);

/** A new key, which is shown once. */
const Secret = ({ secret }: { readonly secret: string }) => {
  const [isCopied, setCopied] = useState(false);
  return (
    <Notice tone="good">
      Copy the key now, it is not shown again: <code>{secret}</code>{' '}
      <Action text="Copy" kind="small" run={() => navigator.clipboard.writeText(secret).then(() => setCopied(true))} />{' '}
      {isCopied && 'Copied.'}
    </Notice>
  );
};

const CreateKey = ({ onCreated }: { readonly onCreated: (made: NewKey) => void }) => {
  const session = useSignedIn();
  const [label, setLabel] = useState('');
  const [hours, setHours] = useState('1');
  const [rights, setRights] = useState<ReadonlyArray<string>>([]);
  const [secret, setSecret] = useState('');
  const left = hoursLeft(session);
  const make = async (): Promise<void> => {
    const wanted = Number(hours);
    if (!(wanted >= 1 && wanted <= maxHours)) throw new Error(`Enter from 1 to ${number(maxHours)} hours.`);
    const made = await session.client.me.createKey({
      label: label === '' ? null : label,
      expires_in_seconds: Math.round(wanted * 3_600),
      admin: rights.includes('admin'),
      permissions: session.permissions.filter((one) => rights.includes(one)),
    });
    setSecret(made.key);
    onCreated(made);
  };
  return (
    <>
      <p class="quiet">
        A new key acts for this account: it reads, changes and erases its recordings. It gets further rights only if you
        select them. It ends with the key of your session at the latest
        {session.expires_at === null ? '' : `, on ${date(session.expires_at)}`}, and when you sign out or in again.
      </p>
      <Form class="filters">
        <Field label="Label" value={label} maxLength={200} onText={setLabel} />
        <Field label="Valid for (hours)" type="number" min={1} max={maxHours} value={hours} onText={setHours} />
        {rightsOf(session).map((right) => (
          <Check
            key={right}
            checked={rights.includes(right)}
            onChange={(isOn) => setRights(isOn ? [...rights, right] : rights.filter((one) => one !== right))}
          >
            {right} <span class="quiet">({warnings[right] ?? ''})</span>
          </Check>
        ))}
        {Number(hours) > left && (
          <p class="quiet" role="status">
            It will end sooner: after {measure(Math.max(0, left))} hours, with your session.
          </p>
        )}
        <Action text="Create a key" run={make} />
        {secret !== '' && <Secret key={secret} secret={secret} />}
      </Form>
    </>
  );
};

const nameOf = ({ label, key_id }: Key): string => label ?? key_id;

const maxKeys = 200;

/** The keys of the account. Only an administrator can list all of them; others see those that they create here. */
const Keys = () => {
  const { client, account_id, key_id, admin } = useSignedIn();
  const [made, setMade] = useState<ReadonlyArray<Key>>([]);
  const query = useQuery(
    async (signal): Promise<ReadonlyArray<Key>> =>
      admin ? client.keys.list(account_id, {}, { signal }).toArray(maxKeys) : [],
    [account_id, admin],
    admin ? pollMs : null,
  );
  const revoke = async (one: Key): Promise<void> => {
    if (admin) await client.keys.revoke(account_id, one.key_id);
    else {
      const { revoked_at } = await client.me.revokeKey(one.key_id);
      setMade(made.map((other) => (other.key_id === one.key_id ? { ...one, revoked_at } : other)));
    }
    query.refresh();
  };
  return (
    <>
      <CreateKey
        onCreated={(one) => {
          setMade([...made, { ...one, revoked_at: null }]);
          query.refresh();
        }}
      />
      <Loaded query={query}>
        {(all) => (
          <>
            <WideTable
              label="Keys of the account"
              rows={admin ? all : made}
              keyOf={(one) => one.key_id}
              columns={[
                {
                  title: 'Key',
                  kind: 'heading',
                  of: (one) => (
                    <>
                      {nameOf(one)} {one.key_id === key_id && <Badge tone="good">used by this browser</Badge>}
                    </>
                  ),
                },
                { title: 'Rights', of: (one) => rightsOf(one).join(', ') || <span class="quiet">none</span> },
                {
                  title: 'Expires',
                  kind: 'quiet',
                  of: ({ expires_at }) => (expires_at === null ? 'never' : date(expires_at)),
                },
                {
                  title: 'State',
                  of: (one) =>
                    one.revoked_at === null ? (
                      <Action text="Revoke" kind="small" label={`Revoke ${nameOf(one)}`} run={() => revoke(one)} />
                    ) : (
                      <Badge tone="bad">revoked</Badge>
                    ),
                },
              ]}
            />
            {!admin && (
              <p class="quiet">
                Only an administrator can list all keys. Keys that you create here are listed until you leave this page.
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  );
};

const Balance = ({ query }: { readonly query: Query<AccountCredits> }) => (
  <Loaded query={query}>
    {({ balance, held, window }) => (
      <Facts
        facts={[
          ['Balance', number(balance)],
          ['Reserved for requests in progress', number(held)],
          [
            'Spending window',
            window === null
              ? 'no limit'
              : `${number(window.spent)} of ${number(window.limit)} in ${duration(window.period_seconds)}`,
          ],
        ]}
      />
    )}
  </Loaded>
);

const pageSize = 25;

const Ledger = ({ version }: Booked) => {
  const { client, account_id } = useSignedIn();
  const [length, setLength] = useState(pageSize);
  const query = useQuery(
    (signal) => client.credits.ledger(account_id, { limit: Math.min(1_000, length) }, { signal }).toArray(length),
    [account_id, length, version],
  );
  return (
    <LoadedList query={query} empty="No entries yet. Grants, corrections and charges of this account will appear here.">
      {(entries) => (
        <>
          <WideTable
            label="Ledger entries"
            rows={entries}
            keyOf={({ entry_id }) => entry_id}
            columns={[
              { title: 'Time', kind: 'quiet', of: ({ at }) => date(at) },
              { title: 'Type', of: ({ category }) => category.replace('_', ' ') },
              { title: 'Amount', kind: 'number', of: ({ amount }) => number(amount) },
              { title: 'Balance after', kind: 'number', of: ({ balance_after }) => number(balance_after) },
              { title: 'Reason', kind: 'words', of: ({ reason }) => reason },
            ]}
          />
          {entries.length === length && <Action text="Show more" run={async () => setLength(length + pageSize)} />}
        </>
      )}
    </LoadedList>
  );
};

/** Balance, spending, ledger and keys of the account. */
export const Account = () => {
  const { client, account_id, name } = useSignedIn();
  const query = useQuery((signal) => client.credits.get(account_id, { signal }), [account_id], pollMs);
  const version = String(query.answer?.balance);
  return (
    <>
      <h1>Account {name}</h1>
      <Balance query={query} />
      <Part title="Spending">
        <Spending version={version} />
      </Part>
      <Part title="Ledger">
        <Ledger version={version} />
      </Part>
      <Part title="Keys">
        <Keys />
      </Part>
    </>
  );
};
