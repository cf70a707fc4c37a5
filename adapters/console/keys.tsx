import { useState } from 'preact/hooks';
import type { ApiKey, MediaAnalysis } from '../client/index.js';
import { date } from './format.js';
import { useAsked } from './hooks.js';
import type { Session } from './session.js';
import { Action, Badge, Notice, Shown } from './ui.js';

const NewKey = ({ client, onMade }: { readonly client: MediaAnalysis; readonly onMade: () => void }) => {
  const [label, setLabel] = useState('');
  const [hours, setHours] = useState(1);
  const [secret, setSecret] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const { key } = await client.me.createKey({
      label: label === '' ? null : label,
      expires_in_seconds: hours * 3_600,
    });
    setSecret(key);
    onMade();
  };
  return (
    <div class="filters">
      <label>
        Label
        <input value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
      </label>
      <label>
        Hours
        <input
          type="number"
          min={1}
          max={24}
          value={hours}
          onInput={(event) => setHours(Math.min(24, Math.max(1, Number(event.currentTarget.value))))}
        />
      </label>
      <Action run={make}>Make a key</Action>
      {secret !== null && (
        <Notice tone="good">
          The key is shown this once: <code>{secret}</code>
        </Notice>
      )}
    </div>
  );
};

const KeyRow = ({
  one,
  own,
  revoke,
}: {
  readonly one: ApiKey;
  readonly own: boolean;
  readonly revoke: () => Promise<unknown>;
}) => (
  <tr>
    <td>
      {one.label ?? one.key_id} {own && <Badge tone="good">this tab</Badge>}
    </td>
    <td>{[...(one.admin ? ['admin'] : []), ...one.permissions].join(', ')}</td>
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

/** Keys of the account; only an administrator may list them. */
export const Keys = ({ session: { client, account_id, key_id, admin } }: { readonly session: Session }) => {
  const asked = useAsked(
    async (signal) => (admin ? client.keys.list(account_id, {}, { signal }).toArray(200) : []),
    [account_id, admin],
  );
  return (
    <>
      <NewKey client={client} onMade={asked.refresh} />
      {admin && (
        <Shown asked={asked}>
          {(keys) => (
            <div class="scroll">
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
                  {keys.map((one) => (
                    <KeyRow
                      key={one.key_id}
                      one={one}
                      own={one.key_id === key_id}
                      revoke={async () => {
                        await client.keys.revoke(account_id, one.key_id);
                        asked.refresh();
                      }}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Shown>
      )}
    </>
  );
};
