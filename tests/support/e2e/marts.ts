import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { eventStoreOf } from '../engine.js';
import { runCommand } from './command.js';
import type { TestApi } from './test-api.js';

type Row = Readonly<Record<string, unknown>>;

const page = readFileSync(new URL('../../../../docs/audit-marts.md', import.meta.url), 'utf8');

/** The example queries of the page, each with the sentence before it. */
export const exampleQueries = [...page.matchAll(/\n\n([^\n]+(?:\n[^\n]+)*)\n\n```sql\n([\s\S]*?)```/g)].map(
  ([, sentence = '', sql = '']) => ({ sentence: sentence.replaceAll('\n', ' '), sql }),
);

/** How the sentence of each query begins whose answer is checked. */
export const checkedQueries = {
  changed: 'How many of the matches that runs committed were changed',
  changes: "Who changed a face's match after a run had committed one",
  late: 'Which write-backs came late',
  names: 'Every name that a face ever had',
  decisions: 'Who decided whose face',
  inferences: 'What each name inference found',
  spent: 'What each account spent per day',
  ledgers: 'Whether the entries of each ledger',
  keys: 'Which keys were not revoked',
  runs: 'How long match runs took',
  tags: 'Videos by tag value',
} as const;

/** Exports the marts of the log of a running service, and asks them the example queries. */
export const useMarts = (api: () => TestApi) => {
  let folder = '';
  const query = async (sql: string): Promise<ReadonlyArray<Row>> => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rows = await connection.runAndReadAll(sql.replaceAll("'marts/", `'${folder}/`));
    return rows.getRowObjectsJson();
  };
  before(() => (folder = mkdtempSync(join(tmpdir(), 'media-analysis-'))));
  after(() => rmSync(folder, { recursive: true }));
  return {
    exportNow: async (): Promise<void> => {
      const { dataDir } = api().world;
      const env = { DATA_DIR: dataDir, EVENT_STORE: await eventStoreOf(dataDir) };
      const { code, err } = await runCommand(['audit', 'export', '--marts', '--force', '--out', folder], env);
      expect(code, err).to.equal(0);
    },
    ask: (name: keyof typeof checkedQueries): Promise<ReadonlyArray<Row>> =>
      query(exampleQueries.find(({ sentence }) => sentence.startsWith(checkedQueries[name]))?.sql ?? ''),
  };
};
