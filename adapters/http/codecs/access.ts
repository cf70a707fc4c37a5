import * as t from 'io-ts';
import { Permission, RetentionDays } from '../../../domain/access/contract.js';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { BodyAccountId, LabelText, NameText } from './values.js';
import { list } from './list.js';

export const OpenAccountBody = t.partial(
  { account_id: nullable(BodyAccountId), name: nullable(NameText) },
  'OpenAccountBody',
);

/** Null clears the name; absent leaves it. */
export const AccountDetailsBody = t.partial({ name: nullable(NameText) }, 'AccountDetailsBody');

/** Null: media are kept until they are erased by request. */
export const RetentionBody = t.type({ days: nullable(RetentionDays) }, 'RetentionBody');

const secondsUpTo = (name: string, most: number) =>
  t.refinement(t.number, (n) => Number.isInteger(n) && n >= 60 && n <= most, name);

const rights = {
  label: nullable(LabelText),
  admin: nullable(t.boolean),
  permissions: nullable(list(Permission, 100, 'permissions')),
};

/** A key issued by an administrator is valid for up to 366 days, or without limit. */
export const IssueKeyBody = t.partial(
  { ...rights, expires_in_seconds: nullable(secondsUpTo('KeyLifetime', 31_622_400)) },
  'IssueKeyBody',
);

/** A key created with another key is valid for up to a day. */
export const MakeKeyBody = t.partial(
  { ...rights, replace: nullable(t.boolean), expires_in_seconds: nullable(secondsUpTo('OwnKeyLifetime', 86_400)) },
  'MakeKeyBody',
);
