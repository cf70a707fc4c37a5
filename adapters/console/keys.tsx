import { useState } from 'preact/hooks';
import type { ApiKey, MakeKeyBody, NewKey } from '../client/index.js';
import { date, measure, number } from './format.js';
import { pollMs, useQuery } from './hooks.js';
import type { Session } from './session.js';
import { Action, Badge, Notice, Scroll, Loaded } from './ui.js';

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

const CreateKey = ({
  session,
  onCreated,
}: {
  readonly session: Session;
  readonly onCreated: (made: NewKey) => void;
}) => {
  const [label, setLabel] = useState('');
  const [hours, setHours] = useState('1');
  const [rights, setRights] = useState<ReadonlySet<string>>(new Set());
  const [secret, setSecret] = useState<string | null>(null);
  const [isCopied, setCopied] = useState(false);
  const left = hoursLeft(session);
  const make = async (): Promise<void> => {
    const wanted = Number(hours);
    if (!(wanted >= 1 && wanted <= maxHours)) throw new Error(`Enter from 1 to ${number(maxHours)} hours.`);
    setCopied(false);
    const body: MakeKeyBody = {
      label: label === '' ? null : label,
      expires_in_seconds: Math.round(wanted * 3_600),
      admin: rights.has('admin'),
      permissions: session.permissions.filter((one) => rights.has(one)),
    };
    const made = await session.client.me.createKey(body);
    setSecret(made.key);
    onCreated(made);
  };
  const withRight = (right: string, isOn: boolean): ReadonlySet<string> =>
    new Set(isOn ? [...rights, right] : [...rights].filter((one) => one !== right));
  return (
    <>
      <p class="quiet">
        A new key acts for this account: it reads, changes and erases its recordings. It gets further rights only if you
        select them. It ends with the key of your session at the latest
        {session.expires_at === null ? '' : `, on ${date(session.expires_at)}`}, and when you sign out or in again.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <label>
          Label
          <input value={label} maxLength={200} onInput={(event) => setLabel(event.currentTarget.value)} />
        </label>
        <label>
          Valid for (hours)
          <input
            type="number"
            min={1}
            max={maxHours}
            value={hours}
            onInput={(event) => setHours(event.currentTarget.value)}
          />
        </label>
        {rightsOf(session).map((right) => (
          <label key={right} class="check">
            <input
              type="checkbox"
              onChange={({ currentTarget }) => setRights(withRight(right, currentTarget.checked))}
            />
            <span>
              {right} <span class="quiet">({warnings[right] ?? ''})</span>
            </span>
          </label>
        ))}
        {Number(hours) > left && (
          <p class="quiet" role="status">
            It will end sooner: after {measure(Math.max(0, left))} hours, with your session.
          </p>
        )}
        <Action run={make}>Create a key</Action>
        {secret !== null && (
          <Notice tone="good">
            Copy the key now, it is not shown again: <code>{secret}</code>{' '}
            <Action
              kind="small"
              run={async () => {
                await navigator.clipboard.writeText(secret);
                setCopied(true);
              }}
            >
              Copy
            </Action>{' '}
            {isCopied && 'Copied.'}
          </Notice>
        )}
      </form>
    </>
  );
};

const KeyRow = ({
  one,
  own,
  revoke,
}: {
  readonly one: Key;
  readonly own: boolean;
  readonly revoke: () => Promise<unknown>;
}) => (
  <tr>
    <td class="words">
      {one.label ?? one.key_id} {own && <Badge tone="good">used by this browser</Badge>}
    </td>
    <td data-label="Rights">{rightsOf(one).join(', ') || <span class="quiet">none</span>}</td>
    <td class="quiet" data-label="Expires">
      {one.expires_at === null ? 'never' : date(one.expires_at)}
    </td>
    <td data-label="State">
      {one.revoked_at === null ? (
        <Action kind="small" label={`Revoke ${one.label ?? one.key_id}`} run={revoke}>
          Revoke
        </Action>
      ) : (
        <Badge tone="bad">revoked</Badge>
      )}
    </td>
  </tr>
);

const maxKeys = 200;

/** The keys of the account. Only an administrator can list all of them; others see those that they create here. */
export const Keys = ({ session }: { readonly session: Session }) => {
  const { client, account_id, key_id, admin } = session;
  const [made, setMade] = useState<ReadonlyArray<Key>>([]);
  const query = useQuery(
    async (signal): Promise<{ readonly all: ReadonlyArray<Key> | null }> => ({
      all: admin ? await client.keys.list(account_id, {}, { signal }).toArray(maxKeys) : null,
    }),
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
        session={session}
        onCreated={(one) => {
          setMade([...made, { ...one, revoked_at: null }]);
          query.refresh();
        }}
      />
      <Loaded query={query}>
        {({ all }) => (
          <>
            <Scroll label="Keys of the account">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Key</th>
                    <th scope="col">Rights</th>
                    <th scope="col">Expires</th>
                    <th scope="col">State</th>
                  </tr>
                </thead>
                <tbody>
                  {(all ?? made).map((one) => (
                    <KeyRow key={one.key_id} one={one} own={one.key_id === key_id} revoke={() => revoke(one)} />
                  ))}
                </tbody>
              </table>
            </Scroll>
            {all === null && (
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
