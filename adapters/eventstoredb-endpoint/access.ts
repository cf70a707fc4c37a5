import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { accessDenied, notAuthenticated, notLeader } from './errors.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface AccessRules {
  /** Null: no credentials are required. */
  readonly credentials: Credentials | null;
  /** Whether clients may append events and create persistent subscriptions, or only read. */
  readonly writable: boolean;
  /** The address of the leader when this server plays a follower; null when it leads. */
  readonly leader: () => { readonly host: string; readonly port: number } | null;
}

export interface Access {
  /** Why a call is refused; null if it is allowed. */
  readonly refusal: (metadata: Metadata, kind: 'read' | 'write') => ServiceError | null;
  /** Why nothing may be written; null if writing is allowed. */
  readonly readOnly: () => ServiceError | null;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Checks each call before anything else. */
export const createAccess = ({ credentials, writable, leader }: AccessRules): Access => {
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
    readOnly: () => (writable ? null : accessDenied('this log is served for reading only')),
  };
};
