import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { marts } from '../../../projections/audit/marts/catalogue.js';
import { runCommand } from '../e2e/command.js';
import type { Media } from '../e2e/media.js';
import { connect, recorded, take } from '../event-store/esdb-client.js';

type Words = ReadonlyArray<string>;

const wordsIn = (text: string, words: Words): Words => words.filter((word) => text.includes(word));

/** The words in the marts of a data folder's log, each as `mart: word`. The files are compressed, so their rows are queried. */
export const foundInMarts = async (data_dir: string, words: Words): Promise<Words> => {
  const folder = await mkdtemp(join(tmpdir(), 'media-analysis-marts-'));
  const { code, out, err } = await runCommand(['audit', 'export', '--marts', '--out', folder], { DATA_DIR: data_dir });
  if (code !== 0) throw new Error(`${out}${err}`);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const found: string[] = [];
  for (const name of Object.keys(marts)) {
    const rows = await connection.runAndReadAll(`SELECT * FROM '${join(folder, `${name}.parquet`)}'`);
    found.push(...wordsIn(JSON.stringify(rows.getRowObjectsJson()), words).map((word) => `${name}: ${word}`));
  }
  connection.closeSync();
  await rm(folder, { recursive: true });
  return found;
};

/**
 * The words that `audit explain` prints about the faces and speakers of a medium, known to it or not. Its JSON contains
 * everything; the text form is checked for one face and one speaker.
 */
export const foundInExplanations = async (
  data_dir: string,
  media: Media,
  words: Words,
  ids: ReadonlyArray<string> = ['1', '2', '3'],
): Promise<Words> => {
  const found: string[] = [];
  for (const which of ids)
    for (const subject of [`face ${media.videoId}`, `speaker ${media.audioId}`])
      for (const form of which === '1' ? [[], ['--json']] : [['--json']]) {
        const args = ['audit', 'explain', ...subject.split(' '), which, ...form];
        const { out, err } = await runCommand(args, { DATA_DIR: data_dir });
        found.push(...wordsIn(`${out}${err}`, words).map((word) => `${subject} ${which}: ${word}`));
      }
  return found;
};

/** The words that an EventStoreDB client reads in a log served on a port. */
export const foundByClients = async (port: number, words: Words): Promise<Words> => {
  const client = connect(`esdb://127.0.0.1:${port}?tls=false`);
  const events = recorded(await take(client.readAll()));
  await client.dispose();
  if (events.length === 0) throw new Error('it read nothing');
  return wordsIn(
    JSON.stringify(events, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    words,
  );
};
