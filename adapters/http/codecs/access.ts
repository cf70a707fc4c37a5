import * as t from 'io-ts';
import { Permission } from '../../../domain/access/contract.js';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { NameText } from '../../../domain/kernel/names.js';
import { BodyAccountId } from './body-ids.js';
import { list } from './list.js';

export const OpenAccountBody = t.partial({ account_id: BodyAccountId, name: nullable(NameText) }, 'OpenAccountBody');

export const IssueKeyBody = t.partial(
  { label: nullable(NameText), admin: t.boolean, permissions: list(Permission, 100, 'permissions') },
  'IssueKeyBody',
);
