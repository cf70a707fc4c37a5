import { useState } from 'preact/hooks';
import type { ApiKey, MakeKeyBody, NewKey } from '../client/index.js';
import { date, number } from './format.js';
import { pollMs, useQuery } from './hooks.js';
import type { Session } from './session.js';
import { Action, Badge, Notice, Scroll, Loaded } from './ui.js';

type Key = Omit<ApiKey, 'account_id' | 'made_by' | 'created_at'>;

/** The rights of a key, which are also those that it can give to new keys. */
const rightsOf = ({ admin, permissions }: Pick<Session, 'admin' | 'permissions'>): ReadonlyArray<string> => [
  ...(admin ? ['admin'] : []),
  ...permissions,
];

const CreateKey = ({
  session,
  onCreated,
}: {
  readonly session: Session;
  readonly onCreated: (made: NewKey) => void;
}) => {
  const [label, setLabel] = useState('');
  const [hours, setHours] = useState(1);
  const [rights, setRights] = useState<ReadonlySet<string>>(new Set());
  const [secret, setSecret] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const body: MakeKeyBody = {
      label: label === '' ? null : label,
      expires_in_seconds: hours * 3_600,
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
        A new key acts for this account and expires after {number(24)} hours at most. It gets additional rights only if
        you select them.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <label>
          Label
          <input value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
        </label>
        <label>
          Valid for (hours)
          <input
            type="number"
            min={1}
            max={24}
            value={hours}
            onInput={(event) => setHours(Math.min(24, Math.max(1, Number(event.currentTarget.value))))}
          />
        </label>
        {rightsOf(session).map((right) => (
          <label key={right} class="check">
            <input
              type="checkbox"
              onChange={({ currentTarget }) => setRights(withRight(right, currentTarget.checked))}
            />
            {right}
          </label>
        ))}
        <Action run={make}>Create a key</Action>
        {secret !== null && (
          <Notice tone="good">
            Copy the key now, it is not shown again: <code>{secret}</code>
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
      {one.label ?? one.key_id} {own && <Badge tone="good">used by this tab</Badge>}
    </td>
    <td>{rightsOf(one).join(', ') || <span class="quiet">none</span>}</td>
    <td class="quiet">{one.expires_at === null ? 'never' : date(one.expires_at)}</td>
    <td>
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
              <table>
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
