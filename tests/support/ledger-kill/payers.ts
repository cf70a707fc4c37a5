import { newKey } from '../accounts.js';
import { expectOk } from '../e2e/media.js';
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
    await expectOk(own.post('/v2/audios', { audio_id: `${account}-call` }));
    const transcript = [
      { speaker_id: 1, start: 0, end: 4, text: 'Good morning, my name is Ada Lovelace, how can I help you?' },
      { speaker_id: 2, start: 4, end: 8, text: 'Hello Ada, this is Grace Hopper, my machine has a problem.' },
    ];
    const speakers = [{ speaker_id: 1 }, { speaker_id: 2 }];
    const analysis = { status: 'completed', speakers, segments: [], transcript };
    await expectOk(own.put(`/v2/audios/${account}-call/analysis`, analysis));
    payers.push(payer);
  }
  return payers;
};
