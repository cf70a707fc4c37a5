import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { allowChanges, coverTracks } from '../support/audit/cover-tracks.js';
import { openKeyVault } from '../../adapters/composition/key-vault.js';
import { sweepNames } from '../../application/processes/sweep.js';
import { defaults } from '../../adapters/config/config.js';
import { type SubjectKeys, subjectKeys } from '../../adapters/event-store/sealed/subject-keys.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { expectOk } from '../support/e2e/media.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { httpClient } from '../support/http-client.js';
import { checkLedger } from '../support/ledger-kill/check-service.js';
import { type KeyOf, type LedgerFault, ledgerFaults } from '../support/ledger-kill/faults.js';
import { type Operations, type Inference, book, sendInference } from '../support/ledger-kill/operations.js';
import { openPayers } from '../support/ledger-kill/payers.js';
import { adminKey } from '../support/service-process.js';
import { startWorld } from '../support/world.js';

/** The faults are inserted into the file of the embedded log. */
const settings = { event_store: 'sqlite', match_worker: 'off' } as const;

const keysOf =
  ({ toOpen }: SubjectKeys): KeyOf =>
  async (name) => {
    const key = await succeeded(() => toOpen(name));
    if (key === 'key_missing' || '_tag' in key) throw new Error(`${name} has no key`);
    return key;
  };

describe('the checks of the ledger', function () {
  this.timeout(180_000);
  const deeds: Operations = { booked: [], inferences: [], unanswered: [], faults: [], done: 0 };
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
    const service = await startWorld({ ...settings, data_dir: folder.path });
    for (const payer of await openPayers(service.url())) {
      await book(httpClient(service.url(), adminKey), deeds, payer, 100);
      for (const [mode, key] of [
        ['', randomUUID()],
        ['/suggestions', null],
      ] as const) {
        const path = `/v2/audios/${payer.account}-call/speaker-name-inference${mode}`;
        const body = { target_speaker_ids: [1] };
        const inference: Inference = { account: payer.account, path, body, key, request_ids: [], answers: [] };
        deeds.inferences.push(inference);
        await sendInference(httpClient(service.url(), payer.key), deeds, inference);
        if (key !== null) await sendInference(httpClient(service.url(), payer.key), deeds, inference);
      }
      await book(httpClient(service.url(), adminKey), deeds, payer, -0.5);
    }
    await service.end();
  });
  after(() => folder.remove());

  const violationsWith = async (fault: LedgerFault | null): Promise<ReadonlyArray<string>> => {
    const copy = await temporaryFolder();
    const file = join(copy.path, 'events.db');
    for (const name of ['events.db', 'keys.db', 'keys.secret'])
      await cp(join(folder.path, name), join(copy.path, name));
    const opened = openSqliteEventStore({ file });
    const vault = openKeyVault({ data_dir: copy.path, key_vault: defaults.key_vault });
    const keys = subjectKeys({ vault, store: opened.store });
    allowChanges(opened.log.db);
    await fault?.insert(opened.log.db, keysOf(keys));
    coverTracks(opened.log.db);
    vault.close();
    // Else the service would book what is missing.
    const head = await succeeded(opened.store.head());
    if (head !== null) await succeeded(opened.checkpoints.save(sweepNames.followUps, head));
    await opened.close();
    const service = await startWorld({ ...settings, data_dir: copy.path });
    try {
      await expectOk(httpClient(service.url(), adminKey).get('/v2/videos'));
      return (await checkLedger(copy.path, service.url(), deeds)).violations;
    } finally {
      await service.end();
      await copy.remove();
    }
  };

  it('find nothing in a correct log', async () => {
    expect(deeds.faults).to.deep.equal([]);
    expect(await violationsWith(null)).to.deep.equal([]);
  });

  for (const [name, fault] of Object.entries(ledgerFaults))
    it(`find ${name}`, async () => {
      const violations = await violationsWith(fault);
      for (const expected of fault.expected) expect(violations.join('\n')).to.match(expected);
    });
});
