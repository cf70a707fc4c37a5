import { join } from 'node:path';
import type Database from 'libsql';
import { expect } from 'chai';
import { runCommand } from '../support/e2e/command.js';
import { type SealedFile, makeSealedFile, tampered } from '../support/audit/tampered-log.js';
import { useFolder } from '../support/event-store/stores.js';

describe('media-analysis audit verify of a changed log', function () {
  this.timeout(60_000);
  const folder = useFolder();
  let log: SealedFile;
  /** With the seal and the three events after it. */
  let events = 0;
  let copies = 0;
  before(async () => {
    log = await makeSealedFile(folder());
    events = log.sealed + 4;
  });

  const verify = async (change: (db: Database.Database) => void) => {
    // A connection that was closed may keep its write-ahead log for a while: each copy has a name of its own.
    copies += 1;
    const copy = join(folder(), `copy-${copies}-changed.db`);
    tampered(log.file, copy, change);
    const { code, out } = await runCommand(['audit', 'verify', '--file', copy]);
    expect(code).to.equal(1);
    return out.split('\n');
  };
  it('counts what there is, names the events that were removed, and compares what is left with the seal', async () => {
    const [summary, sealedUpTo, faults, first, ...others] = await verify(
      (db) => void db.exec('DELETE FROM events WHERE position IN (12, 13, 14, 40, 60)'),
    );
    expect(summary).to.match(new RegExp(`changed\\.db: ${events - 5} events in \\d+ streams, 1 seal$`));
    expect(sealedUpTo).to.equal(`Sealed up to position #${log.sealed}.`);
    expect(faults).to.match(/^\d+ faults:$/);
    expect(first).to.match(
      /^ {2}broken_storage position #15, \S+@\d+: the events at positions #12 to #14 are missing$/,
    );
    expect(others.join('\n'))
      .to.match(/seal_mismatch position #15, .*: seal number 0: this event is not the one that was sealed/)
      .and.include(`${log.sealed} events were sealed, up to position #${log.sealed}; the log holds ${events - 5}`);
  });

  it('tells how far a log could be read whose text is no JSON any more', async () => {
    const [summary, , faults, ...all] = await verify(
      (db) => void db.prepare(`UPDATE events SET data = 'x' || data WHERE position = ?`).run(12),
    );
    expect(summary).to.match(/: 11 events in \d+ streams could be read, \d seals?$/);
    expect(faults).to.match(/^2 faults:$/);
    expect(all[0]).to.match(/^ {2}broken_storage position #12, \S+@\d+: its data is not JSON as it was written$/);
    expect(all[1]).to.match(/^ {2}broken_storage the log cannot be read beyond position #11: .*0012/);
  });
});
