import type { Either } from 'fp-ts/lib/Either.js';
import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { AccountId, KeyId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { AccessCommand, AccessEvent, AccessRefusal, IssueApiKey, RevokeApiKey } from './contract.js';

export type AccessState =
  | { readonly _tag: 'Unopened' }
  | {
      readonly _tag: 'Open';
      readonly account_id: AccountId;
      /** When each key was revoked; null while it is good. */
      readonly keys: ReadonlyMap<KeyId, Timestamp | null>;
    };

type OpenState = Extract<AccessState, { _tag: 'Open' }>;
type Decision = Either<AccessRefusal, ReadonlyArray<AccessEvent>>;

const evolve = (state: AccessState, event: AccessEvent): AccessState => {
  if (event.type === 'AccountOpened') return { _tag: 'Open', account_id: event.data.account_id, keys: new Map() };
  if (state._tag === 'Unopened') return state;
  const { key_id } = event.data;
  const revoked_at = event.type === 'ApiKeyRevoked' ? event.data.at : null;
  return { ...state, keys: new Map(state.keys).set(key_id, revoked_at) };
};

const issue = (state: OpenState, { type: _type, ...key }: IssueApiKey): Decision =>
  record<AccessEvent>({ type: 'ApiKeyIssued', data: { ...key, account_id: state.account_id } });

const revoke = (state: OpenState, { key_id, at }: RevokeApiKey): Decision => {
  const revoked_at = state.keys.get(key_id);
  if (revoked_at === undefined) return refuse({ _tag: 'UnknownKey' });
  return revoked_at === null ? record<AccessEvent>({ type: 'ApiKeyRevoked', data: { key_id, at } }) : nothing;
};

/** Accounts and their API keys (specification, section 5). */
export const access: Decider<AccessCommand, AccessState, AccessEvent, AccessRefusal> = {
  category: 'account',
  initial: { _tag: 'Unopened' },
  evolve,
  decide: (command, state) => {
    if (command.type === 'OpenAccount') {
      const { account_id, name, at } = command;
      return state._tag === 'Open'
        ? refuse({ _tag: 'AccountExists', account_id })
        : record<AccessEvent>({ type: 'AccountOpened', data: { account_id, name, at } });
    }
    if (state._tag === 'Unopened') return refuse({ _tag: 'UnknownAccount' });
    return command.type === 'IssueApiKey' ? issue(state, command) : revoke(state, command);
  },
};
