import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { readImportFile } from '../../adapters/import/read-document.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { median, quick, whole } from './support/figures.js';

/*
 * Reading a large AVA-ActiveSpeaker CSV: megabytes a second and the most memory that the process took, beside a
 * peer (csv-parse, which makes a list of texts of each row and keeps none). Each run is a process of its own. `import.js [--quick]`; the file is made in the system's temporary folder.
 */

const bytes = quick ? 20_000_000 : 1_000_000_000;
/** The peer takes minutes. */
const runsOf = (reader: string): number => (quick || reader === 'csv-parse' ? 1 : 3);

// 1 GB has at most 2,000 tracks, as many as an analysis may have.
const framesOfTrack = 6_000;
const facesAtOnce = 3;

const labels = ['NOT_SPEAKING', 'SPEAKING_AUDIBLE', 'SPEAKING_NOT_AUDIBLE'] as const;

/** A track of four minutes, at 25 frames a second, of one of the visible faces. */
const trackRows = (track: number): string => {
  const from = Math.floor(track / facesAtOnce) * framesOfTrack * 0.04;
  const rows = Array.from({ length: framesOfTrack }, (_, frame) => {
    const label = labels[Math.floor((frame + track * 17) / 120) % 3];
    const left = (0.1 + (frame % 100) / 1_000).toFixed(6);
    return `-FaXLcSFjUI,${(from + frame * 0.04).toFixed(2)},${left},0.214815,0.379167,0.685185,${label},-FaXLcSFjUI_${from.toFixed(0)}:${track % facesAtOnce}\n`;
  });
  return rows.join('');
};

const makeFile = async (path: string): Promise<void> => {
  const file = await open(path, 'w');
  for (let track = 0, written = 0; written < bytes; track += 1) {
    const rows = trackRows(track);
    written += rows.length;
    await file.write(rows);
  }
  await file.close();
};

const readers: Readonly<Record<string, (path: string) => Promise<number>>> = {
  'this import': async (path) => {
    const read = readImportFile(path);
    if (E.isLeft(read)) throw new Error(read.left.message);
    return read.right.imported.faces?.summary.rows ?? 0;
  },
  'csv-parse': async (path) => {
    let rows = 0;
    for await (const row of createReadStream(path).pipe(parse())) rows += Array.isArray(row) ? 1 : 0;
    return rows;
  },
};

const Measured = t.type({ rows: t.number, seconds: t.number, peak: t.number });
type Measured = t.TypeOf<typeof Measured>;

/** The work of the reading process. */
const measure = async (reader: string, path: string): Promise<void> => {
  const start = performance.now();
  const rows = (await readers[reader]?.(path)) ?? 0;
  const seconds = (performance.now() - start) / 1_000;
  console.log(JSON.stringify({ rows, seconds, peak: process.resourceUsage().maxRSS / 1_024 }));
};

const inProcess = (reader: string, path: string): Measured => {
  const script = fileURLToPath(import.meta.url);
  const { stdout, stderr } = spawnSync(process.execPath, [script, 'read', reader, path], { encoding: 'utf8' });
  const measured = Measured.decode(stdout === '' ? null : JSON.parse(stdout));
  if (E.isLeft(measured)) throw new Error(`${reader}: ${stderr}`);
  return measured.right;
};

const compare = async (): Promise<void> => {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'faces.csv');
  await makeFile(path);
  for (const reader of Object.keys(readers)) {
    const measured = Array.from({ length: runsOf(reader) }, () => inProcess(reader, path));
    const speed = median(measured.map(({ seconds }) => bytes / 1e6 / seconds));
    const peak = Math.max(...measured.map((run) => run.peak));
    console.log(`${reader}: ${whole(measured[0]?.rows ?? 0)} rows, ${whole(speed)} MB/s, ${whole(peak)} MB at most`);
  }
  await folder.remove();
};

const [command, reader = '', path = ''] = process.argv.slice(2);
await (command === 'read' ? measure(reader, path) : compare());
