import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { exportMarts } from '../../adapters/cli/audit/export-files.js';
import { replayLog, replayMarts } from '../../application/audit/replay-log.js';
import { marts } from '../../projections/audit/marts/catalogue.js';
import { type World, world } from '../support/application/world.js';
import { checkedQueries, exampleQueries } from '../support/e2e/marts.js';
import { openInMemory } from '../support/event-store/stores.js';
import { appendRecorded } from '../support/recorded-events.js';

const page = readFileSync(new URL('../../../docs/audit-marts.md', import.meta.url), 'utf8');
const sqlTypes = { text: 'VARCHAR', integer: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN', time: 'TIMESTAMP' };

const checked = (sentence: string) =>
  Object.entries(checkedQueries).find(([, begins]) => sentence.startsWith(begins))?.[0];

describe('marts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'media-analysis-'));
  let place: World;
  const write = (force: boolean) => exportMarts(folder, force, (take) => replayMarts(place.app.store, null, take));
  const ask = async (sql: string) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const result = await connection.runAndReadAll(sql.replaceAll("'marts/", `'${folder}/`));
    return result.getRowObjectsJson();
  };
  before(async () => {
    place = world((await openInMemory()).store);
    await appendRecorded(place.app.store);
    await write(false);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('have the documented columns, typed', async () => {
    for (const [name, { description, columns }] of Object.entries(marts)) {
      expect(page).to.include(`### ${name}\n\n${description}\n`);
      const described = await ask(`DESCRIBE SELECT * FROM 'marts/${name}.parquet'`);
      expect(described.map(({ column_name, column_type }) => [column_name, column_type])).to.deep.equal(
        Object.entries(columns).map(([column, { type }]) => [column, sqlTypes[type]]),
      );
      for (const [column, { type, description: said }] of Object.entries(columns))
        expect(`${page}\n`).to.include(`- \`${column}\` ${sqlTypes[type]}: ${said}\n`);
    }
  });

  it('have an example query for each whose answer tests/e2e/audit-marts.slow.test.ts checks, and no other', () =>
    expect(exampleQueries.map(({ sentence }) => checked(sentence))).to.deep.equal(Object.keys(checkedQueries)));

  it('have the same content as the read models', async () => {
    const { rows } = await replayLog(place.app.store, null);
    const count = async (name: string) =>
      Number((await ask(`SELECT count(*) AS n FROM 'marts/${name}.parquet'`))[0]?.['n']);
    const audios = rows.audios.all();
    const expected = {
      videos: rows.videos.all(),
      runs: rows.matchRuns.all(),
      late_writes: rows.lateWrites.all(),
      ledger: rows.ledger.all(),
      audios,
      speakers: audios.flatMap(({ record }) => record.speakers),
      accounts: rows.accounts.all(),
      keys: rows.apiKeys.all(),
    };
    for (const [name, { length }] of Object.entries(expected)) expect(await count(name), name).to.equal(length);
    const balances = await ask(
      "SELECT account_id, CAST(sum(CAST(amount AS DECIMAL(15, 6))) AS VARCHAR) AS balance FROM 'marts/ledger.parquet' GROUP BY account_id",
    );
    for (const { account_id, balance } of balances)
      expect(Number(balance)).to.equal(
        Number(rows.ledger.all().findLast((row) => row.account_id === account_id)?.balance_after),
      );
  });

  it('have name inferences that were answered and that failed, with rows, model and charge', async () => {
    const inferences = await ask(
      "SELECT outcome, model, speakers, names, total_tokens, amount, error FROM 'marts/inferences.parquet' WHERE audio_id = 'call' ORDER BY ended_at",
    );
    expect(inferences.map(Object.values)).to.deep.equal([
      ['completed', 'recorded', '2', '1', '11', 1.0011, null],
      ['failed', 'recorded', '2', null, null, null, 'no answer within 60 s'],
    ]);
    const rows = await ask(
      "SELECT speaker_id, name, pattern, reason, role, role_reason FROM 'marts/inference_rows.parquet' ORDER BY speaker_id",
    );
    expect(rows.map(Object.values)).to.deep.equal([
      ['1', 'Ann Example', 'self_introduction', null, 'agent', null],
      ['2', null, null, 'no_proposal', null, 'no_role_proposal'],
    ]);
  });

  it('are replaced only on request', async () => {
    let refused: unknown;
    await write(false).catch((error: unknown) => (refused = error));
    expect(String(refused)).to.match(/videos\.parquet exists already.*--force/);
    await write(true);
  });
});
