import type { Either } from 'fp-ts/lib/Either.js';
import { dataOf, type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { AccountId, KeyId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';
import {
  type AccessCommand,
  type AccessEvent,
  type AccessRefusal,
  type IssueApiKey,
  type RetireEnvironmentKeys,
  type RevokeApiKey,
  isEnvironmentKey,
  maxInactiveKeys,
  maxSelfIssuedKeys,
} from './contract.js';

interface Key {
  readonly label: string | null;
  readonly revoked_at: Timestamp | null;
  readonly expires_at: Timestamp | null;
  readonly made_by: KeyId | null;
}

type Keys = ReadonlyMap<KeyId, Key>;

export type AccessState =
  | { readonly _tag: 'Unopened' }
  | {
      readonly _tag: 'Open';
      readonly account_id: AccountId;
      readonly name: string | null;
      readonly opened_at: Timestamp;
      /** In order of issue. */
      readonly keys: Keys;
      /** Days without an event after which media are erased; null: never. */
      readonly retention_days: number | null;
    };

type OpenState = Extract<AccessState, { _tag: 'Open' }>;
type Decision = Either<AccessRefusal, ReadonlyArray<AccessEvent>>;

const isActive = ({ revoked_at, expires_at }: Key, at: Timestamp): boolean =>
  revoked_at === null && (expires_at === null || expires_at > at);

/** Drops the oldest inactive self-issued keys beyond the maximum that is remembered. */
const withoutOldInactive = (keys: Keys, at: Timestamp): Keys => {
  const dead = [...keys].filter(([, key]) => key.made_by !== null && !isActive(key, at)).map(([key_id]) => key_id);
  const forgotten = new Set(dead.slice(0, Math.max(0, dead.length - maxInactiveKeys)));
  return forgotten.size === 0 ? keys : new Map([...keys].filter(([key_id]) => !forgotten.has(key_id)));
};

const evolve = (state: AccessState, event: AccessEvent): AccessState => {
  if (event.type === 'AccountOpened') {
    const { account_id, name, at: opened_at } = event.data;
    return { _tag: 'Open', account_id, name, opened_at, keys: new Map(), retention_days: null };
  }
  if (state._tag === 'Unopened') return state;
  const keys = new Map(state.keys);
  switch (event.type) {
    case 'AccountRenamed':
      return { ...state, name: event.data.name };
    case 'RetentionSet':
      return { ...state, retention_days: event.data.days };
    case 'ApiKeyIssued': {
      const { key_id, label, expires_at, made_by, at } = event.data;
      keys.set(key_id, { label, revoked_at: null, expires_at, made_by });
      return { ...state, keys: made_by === null ? keys : withoutOldInactive(keys, at) };
    }
    case 'ApiKeyRevoked': {
      const { key_id, at } = event.data;
      const known = keys.get(key_id);
      return known === undefined ? state : { ...state, keys: keys.set(key_id, { ...known, revoked_at: at }) };
    }
  }
};

/** The selected keys that are not revoked, and those issued by them. An issuing key always comes before the keys it issued. */
const withIssued = ({ keys }: OpenState, isSelected: (key_id: KeyId, key: Key) => boolean): ReadonlyArray<KeyId> => {
  const gone = new Set<KeyId>();
  for (const [key_id, key] of keys)
    if (isSelected(key_id, key) || (key.made_by !== null && gone.has(key.made_by))) gone.add(key_id);
  return [...gone].filter((key_id) => keys.get(key_id)?.revoked_at === null);
};

const revocations = (keys: ReadonlyArray<KeyId>, at: Timestamp): ReadonlyArray<AccessEvent> =>
  keys.map((key_id) => ({ type: 'ApiKeyRevoked', data: { key_id, at } }));

const activeSelfIssued = ({ keys }: OpenState, replaced: ReadonlyArray<KeyId>, at: Timestamp): number =>
  [...keys].filter(([key_id, key]) => key.made_by !== null && isActive(key, at) && !replaced.includes(key_id)).length;

const issue = (state: OpenState, command: IssueApiKey): Decision => {
  const { replace, ...key } = dataOf(command);
  const { label, made_by, at } = key;
  const replaced = replace
    ? withIssued(state, (_, one) => one.made_by === made_by && one.label === label && isActive(one, at))
    : [];
  if (made_by !== null) {
    const issuer = state.keys.get(made_by);
    const mayIssue = issuer === undefined ? isEnvironmentKey(made_by) : isActive(issuer, at);
    if (!mayIssue) return refuse({ _tag: 'IssuerRevoked' });
    if (activeSelfIssued(state, replaced, at) >= maxSelfIssuedKeys)
      return refuse({ _tag: 'TooManyKeys', most: maxSelfIssuedKeys });
  }
  const made: AccessEvent = { type: 'ApiKeyIssued', data: { ...key, account_id: state.account_id } };
  return record<AccessEvent>(...revocations(replaced, at), made);
};

const revoke = (state: OpenState, { key_id, made_alone, at }: RevokeApiKey): Decision => {
  const known = state.keys.get(key_id);
  if (known === undefined || (made_alone && known.made_by === null)) return refuse({ _tag: 'UnknownKey' });
  const gone = withIssued(state, (id) => id === key_id);
  return record<AccessEvent>(...revocations(gone, at));
};

const retire = (state: OpenState, { current, at }: RetireEnvironmentKeys): Decision => {
  const gone = withIssued(
    state,
    (_, { made_by }) => made_by !== null && made_by !== current && isEnvironmentKey(made_by),
  );
  return record<AccessEvent>(...revocations(gone, at));
};

/** Whether a key of the account is neither revoked nor expired. The environment's key is always active. */
export const isLiveKey = (state: AccessState, key_id: KeyId, at: Timestamp): boolean => {
  if (isEnvironmentKey(key_id)) return true;
  const key = state._tag === 'Open' ? state.keys.get(key_id) : undefined;
  return key !== undefined && isActive(key, at);
};

/** Accounts and their API keys (specification, section 5). */
export const access: Decider<AccessCommand, AccessState, AccessEvent, AccessRefusal> = {
  category: 'account',
  initial: { _tag: 'Unopened' },
  evolve,
  decide: (command, state) => {
    if (command.type === 'OpenAccount') {
      return state._tag === 'Open'
        ? refuse({ _tag: 'AccountExists', account_id: command.account_id })
        : record<AccessEvent>({ type: 'AccountOpened', data: dataOf(command) });
    }
    if (state._tag === 'Unopened') return refuse({ _tag: 'UnknownAccount' });
    switch (command.type) {
      case 'RenameAccount': {
        const { name, at } = command;
        const { account_id } = state;
        return name === undefined || name === state.name
          ? nothing
          : record<AccessEvent>({ type: 'AccountRenamed', data: { account_id, name, at } });
      }
      case 'IssueApiKey':
        return issue(state, command);
      case 'RevokeApiKey':
        return revoke(state, command);
      case 'RetireEnvironmentKeys':
        return retire(state, command);
      case 'SetRetention': {
        const { days, at } = command;
        const { account_id, retention_days } = state;
        return days === retention_days
          ? nothing
          : record<AccessEvent>({ type: 'RetentionSet', data: { account_id, days, at } });
      }
    }
  },
};
