import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { exportMarts } from '../../adapters/audit-export/export-marts.js';
import { replayLog } from '../../application/audit/replay-log.js';
import { replayMarts } from '../../application/audit/replay-marts.js';
import { marts } from '../../projections/audit/marts/catalogue.js';
import { type World, world } from '../support/application/world.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { recordUnsealed } from '../support/recorded-scenario.js';

const page = readFileSync(new URL('../../../docs/audit-marts.md', import.meta.url), 'utf8');
const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);
const sqlTypes = { text: 'VARCHAR', integer: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN', time: 'TIMESTAMP' };

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
    await recordUnsealed(place);
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
        expect(page).to.include(`| \`${column}\` | ${sqlTypes[type]} | ${said} |\n`);
    }
  });

  it('answer every example query of the page', async () => {
    expect(queries).to.have.length(6);
    for (const sql of queries) expect(await ask(sql), sql).not.to.be.empty;
  });

  it('have the same content as the read models', async () => {
    const { rows } = await replayLog(place.app.store, null);
    const count = async (name: string) =>
      Number((await ask(`SELECT count(*) AS n FROM 'marts/${name}.parquet'`))[0]?.['n']);
    expect(await count('videos')).to.equal(rows.videos.all().length);
    expect(await count('runs')).to.equal(rows.matchRuns.all().length);
    expect(await count('late_writes')).to.equal(rows.lateWrites.all().length);
    expect(await count('ledger')).to.equal(rows.ledger.all().length);
    const balances = await ask(
      "SELECT account_id, CAST(sum(CAST(amount AS DECIMAL(15, 6))) AS VARCHAR) AS balance FROM 'marts/ledger.parquet' GROUP BY account_id",
    );
    for (const { account_id, balance } of balances)
      expect(Number(balance)).to.equal(
        Number(rows.creditAccounts.all().find((row) => row.account_id === account_id)?.balance),
      );
  });

  it('have the current link and name of each face', async () => {
    const last = (mart: string, value: string) => `
      SELECT video_id, face_id, standing.${value} AS standing, changed.last AS last FROM 'marts/faces.parquet' AS standing
      JOIN (SELECT ${mart === 'names' ? 'medium_id AS video_id, subject_id AS face_id' : 'video_id, face_id'},
              arg_max(${value}_after, position) AS last FROM 'marts/${mart}.parquet'
            ${mart === 'names' ? "WHERE record = 'face'" : ''} GROUP BY 1, 2) AS changed USING (video_id, face_id)`;
    const names = await ask(last('names', 'name'));
    expect(names).not.to.be.empty;
    names.forEach((row) => expect(row['standing']).to.equal(row['last']));
    // arg_max ignores NULL, so removed links are checked separately.
    const links = await ask(last('matches', 'speaker_id'));
    links.filter(({ standing }) => standing !== null).forEach((row) => expect(row['standing']).to.equal(row['last']));
  });

  it('are replaced only on request', async () => {
    let refused: unknown;
    await write(false).catch((error: unknown) => (refused = error));
    expect(String(refused)).to.match(/videos\.parquet exists already.*--force/);
    await write(true);
  });
});
