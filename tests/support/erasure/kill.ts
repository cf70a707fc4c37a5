import { setTimeout } from 'node:timers/promises';
import { runCommand } from '../e2e/command.js';
import { createMedia, expectOk } from '../e2e/media.js';
import { type HttpClient, httpClient } from '../http-client.js';
import { shortLivedNodeOptions } from '../short-lived-process.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../service-process.js';
import { foundIn } from './bytes.js';
import { type Storage, embeddedStorage } from './storage.js';

const pairsEach = 4;
const longest_ms = 500;
/** Kills between two verifications of the log, each of which reads all of it. */
const verifyEach = 20;

interface Pair {
  readonly video: string;
  readonly audio: string;
  readonly videoWord: string;
  readonly audioWord: string;
}

/** The pairs whose erasures were requested, and the paths of the acknowledged ones. */
interface Round {
  readonly pairs: ReadonlyArray<Pair>;
  readonly acknowledged: ReadonlySet<string>;
}

export interface ErasureKills {
  readonly kills: number;
  readonly requested: number;
  readonly acknowledged: number;
  readonly violations: ReadonlyArray<string>;
}

interface Options {
  readonly kills: number;
  /** Where the service has its log and its keys; by default in files. */
  readonly openStorage?: () => Promise<Storage>;
  readonly onKill?: (kills: number, acknowledged: number) => void;
}

const registered = async (client: HttpClient, id: string): Promise<Pair> => {
  const [videoWord, audioWord] = [`Persimmon ${id} Kandl`, `Mispel ${id} Strudel`];
  const { video, audio, match } = await createMedia(
    { owner: client, worker: client },
    {
      ids: [id, `${id}a`],
      videoFields: { title: videoWord },
      audioFields: { title: audioWord },
      faces: [{ id: 1 }],
      speakers: [{ speaker_id: 1, name: audioWord }],
    },
  );
  await expectOk(client.put(match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
  return { video, audio, videoWord, audioWord };
};

/** Registers pairs and erases them, in half of them the audio first, while others write; then kills the service. */
const eraseUntilKilled = async (
  client: HttpClient,
  service: ServiceProcess,
  storage: Storage,
  round: number,
): Promise<Round> => {
  const pairs = await Promise.all(
    Array.from({ length: pairsEach }, (_, index) => registered(client, `r${round}v${index}`)),
  );
  storage.disturb();
  const acknowledged = new Set<string>();
  const killed = new AbortController();
  const erasing = pairs.map(async ({ video, audio }, index) => {
    for (const path of index % 2 === 0 ? [audio, video] : [video, audio]) {
      const answer = await client.delete(path).catch(() => null);
      if (answer?.status === 200) acknowledged.add(path);
    }
  });
  const writing = pairs.map(async ({ video, audio }, index) => {
    for (let turn = 0; !killed.signal.aborted; turn += 1)
      await client.patch(index % 2 === 0 ? video : audio, { title: `${turn}` }).catch(() => null);
  });
  await setTimeout(Math.random() * longest_ms);
  await service.kill();
  killed.abort();
  await Promise.all([...erasing, ...writing]);
  storage.stopDisturbing();
  return { pairs, acknowledged };
};

/** Time limit for the cleanup of what a kill left behind. */
const forgotten_ms = 3_000;

/** The files that still hold a word when the time is over. */
const filesWith = async (folder: string, word: string): Promise<ReadonlyArray<string>> => {
  const start = performance.now();
  let found = await foundIn(folder, [word]);
  while (found.length > 0 && performance.now() - start < forgotten_ms) {
    await setTimeout(100);
    found = await foundIn(folder, [word]);
  }
  return found;
};

/** The name of a medium's key, by its path. */
const keyOf = (path: string): string => path.replace(/^.v2.(\w+)s.(\w+)$/, '$1-$2:1');

/** What is wrong with a pair after the restart: an acknowledged erasure must be complete; any other is complete or never began. */
const faultsOf = async (client: HttpClient, { folder, isDestroyed }: Storage, pair: Pair, { acknowledged }: Round) => {
  const [video, audio] = [await client.get(pair.video), await client.get(pair.audio)];
  const faults: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds ? 0 : faults.push(`${pair.video}: ${what}`));
  for (const [path, { status }] of [
    [pair.video, video],
    [pair.audio, audio],
  ] as const)
    expect(status === 410 || (status === 200 && !acknowledged.has(path)), `${path} is ${status}`);
  const inLog = (await foundIn(folder, [pair.videoWord, pair.audioWord])).filter((found) =>
    found.startsWith('events.db'),
  );
  expect(inLog.length === 0, `the log says in clear ${inLog.join(', ')}`);
  for (const [path, { status }] of [
    [pair.video, video],
    [pair.audio, audio],
  ] as const)
    if (status === 410) expect(await isDestroyed(keyOf(path)), `the key of ${path} is still there`);
  if (audio.status === 410) {
    if (video.status === 200) expect(video.text.includes('"audio_id":null'), 'it still has its audio');
    expect(!video.text.includes(pair.audioWord), `it still says what its audio is called: ${video.text}`);
    const found = await filesWith(folder, pair.audioWord);
    expect(found.length === 0, `what its audio was called is in ${found.join(', ')}`);
  }
  if (video.status === 410) {
    if (audio.status === 200) expect(audio.text.includes('"video_id":null'), 'its audio still has a parent');
    const found = await filesWith(folder, pair.videoWord);
    expect(found.length === 0, `what it was called is in ${found.join(', ')}`);
  }
  return faults;
};

const faultsOfLog = async ({ folder, env }: Storage): Promise<ReadonlyArray<string>> => {
  const { code, out, err } = await runCommand(['audit', 'verify'], { DATA_DIR: folder, ...env });
  return code === 0 ? [] : [`verify: ${out}${err}`];
};

/** Kills a service again and again in the middle of erasures under load, and reports what each kill left behind. */
export const killErasures = async ({
  kills,
  openStorage = embeddedStorage,
  onKill = () => undefined,
}: Options): Promise<ErasureKills> => {
  const storage = await openStorage();
  const { folder, env } = storage;
  const violations: string[] = [];
  let [last, requested, acknowledged]: [Round, number, number] = [{ pairs: [], acknowledged: new Set() }, 0, 0];
  for (let round = 0; round <= kills; round += 1) {
    const service = await startServiceProcess(folder, { node: shortLivedNodeOptions, env, patience_ms: 180_000 });
    const client = httpClient(service.url, adminKey);
    for (const pair of last.pairs) violations.push(...(await faultsOf(client, storage, pair, last)));
    if (round === kills) await service.stop();
    else {
      last = await eraseUntilKilled(client, service, storage, round);
      requested += 2 * last.pairs.length;
      acknowledged += last.acknowledged.size;
      onKill(round + 1, acknowledged);
    }
    if (round === kills || round % verifyEach === verifyEach - 1) violations.push(...(await faultsOfLog(storage)));
  }
  await storage.end();
  return { kills, requested, acknowledged, violations };
};
