import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metadata, ServiceError } from '@grpc/grpc-js';
import type { PreparedEvent } from './log/append.js';
import { notAuthenticated, notLeader } from './errors.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface AccessRules {
  /** Null: anybody who reaches the port. */
  readonly credentials: Credentials | null;
  /** Why these events may not be appended to that stream, or, without events, why it may not be deleted; null when they may. */
  readonly refuseAppend: (stream: string, events: ReadonlyArray<PreparedEvent>) => string | null;
  /** Whether persistent subscriptions may be created, changed and deleted. */
  readonly mayChangeGroups: boolean;
  /** Where the leader is when this server plays a node that does not lead; null when it leads. */
  readonly leader: () => { readonly host: string; readonly port: number } | null;
}

export interface Access {
  /** Why a call is refused; null when it may go on. */
  readonly refusal: (metadata: Metadata, kind: 'read' | 'write') => ServiceError | null;
  readonly refuseAppend: AccessRules['refuseAppend'];
  readonly mayChangeGroups: boolean;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Looks at each call before anything else does. */
export const createAccess = ({ credentials, refuseAppend, mayChangeGroups, leader }: AccessRules): Access => {
  const wanted = credentials === null ? null : digest(basic(credentials));
  const known = (metadata: Metadata): boolean => {
    const [given] = metadata.get('authorization');
    return wanted === null || (given !== undefined && timingSafeEqual(digest(String(given)), wanted));
  };
  return {
    refusal: (metadata, kind) => {
      if (!known(metadata)) return notAuthenticated();
      const elsewhere = leader();
      const needsLeader = kind === 'write' || metadata.get('requires-leader')[0] === 'true';
      return elsewhere !== null && needsLeader ? notLeader(elsewhere) : null;
    },
    refuseAppend,
    mayChangeGroups,
  };
};
