import { newKey } from '../accounts.js';
import { createCall } from '../e2e/naming.js';
import { type HttpClient, httpClient } from '../http-client.js';
import { adminKey } from '../service-process.js';
import type { Payer } from './operations.js';

/** The accounts whose ledgers are checked. */
export const accounts = ['payer-a', 'payer-b', 'payer-c'];

const openPayer = async (admin: HttpClient, account: string): Promise<Payer> => ({
  account,
  key: await newKey(admin, account, { permissions: ['WORKER'] }),
});

/** Opens the accounts, each with a key and an audio for name inference. */
export const openPayers = async (url: string): Promise<ReadonlyArray<Payer>> => {
  const admin = httpClient(url, adminKey);
  const payers: Payer[] = [];
  for (const account of accounts) {
    const payer = await openPayer(admin, account);
    const own = httpClient(url, payer.key);
    await createCall(
      own,
      `${account}-call`,
      [1, 'Good morning, my name is Ada Lovelace, how can I help you?'],
      [2, 'Hello Ada, this is Grace Hopper, my machine has a problem.'],
    );
    payers.push(payer);
  }
  return payers;
};
