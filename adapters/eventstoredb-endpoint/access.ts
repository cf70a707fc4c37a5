import { createHash, timingSafeEqual } from 'node:crypto';
import { type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { refusal } from './errors.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Why a call is refused; null if it is allowed. */
export type Authenticate = (metadata: Metadata) => ServiceError | null;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Checks the credentials of a call; none are required if they are null. */
export const authentication = (credentials: Credentials | null): Authenticate => {
  const expected = credentials === null ? null : digest(basic(credentials));
  return (metadata) => {
    const [given] = metadata.get('authorization');
    return expected === null || (given !== undefined && timingSafeEqual(digest(String(given)), expected))
      ? null
      : refusal(status.UNAUTHENTICATED, 'the user name or the password is wrong, or is missing');
  };
};
