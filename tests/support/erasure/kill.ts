import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runCommand } from '../e2e/command.js';
import { createMedia, expectOk } from '../e2e/media.js';
import { removeData } from '../engine.js';
import { foundIn } from './bytes.js';
import { startServerProcess } from '../event-store/eventstoredb-process.js';
import type { HttpClient } from '../http-client.js';
import { type Killed, killUnderLoad } from '../killed-service.js';
import { temporaryFolder } from '../event-store/stores.js';
import { startVaultServer } from '../vault/vault-server.js';

/** The log and the keys of a service that is killed. */
interface Storage {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes the key vault fail at random, or not. */
  readonly disturb: () => void;
  /** The key vault works again. */
  readonly stopDisturbing: () => void;
  /** Whether a key is destroyed soon, as far as can be seen from outside. */
  readonly isDestroyed: (name: string) => Promise<boolean>;
  readonly end: () => Promise<void>;
}

/** The log and the keys in files of its data folder. */
export const embeddedStorage = async (): Promise<Storage> => {
  const { path: folder } = await temporaryFolder();
  return {
    folder,
    env: {},
    disturb: () => undefined,
    stopDisturbing: () => undefined,
    isDestroyed: () => Promise.resolve(true),
    end: () => removeData(folder),
  };
};

const soon_ms = 3_000;
const modes = ['normal', 'normal', 'slow', 'silent', 'unreachable', 'wrong_key', 'keeps_keys'] as const;

/** An EventStoreDB as the log, in a process that is not killed, and a vault over HTTP. */
export const remoteStorage = async (): Promise<Storage> => {
  const { path: folder } = await temporaryFolder();
  const server = await startServerProcess({ file: join(folder, 'events.db') });
  const vault = await startVaultServer('the-token');
  return {
    folder,
    env: { EVENT_STORE: server.url, KEY_VAULT_URL: vault.url, KEY_VAULT_TOKEN: 'the-token' },
    disturb: () => vault.setMode(modes[Math.floor(Math.random() * modes.length)] ?? 'normal'),
    stopDisturbing: () => vault.setMode('normal'),
    isDestroyed: async (name) => {
      for (const start = performance.now(); performance.now() < start + soon_ms; await setTimeout(20))
        if (vault.keys.get(name) === 'erased') return true;
      return false;
    },
    end: async () => {
      await server.kill();
      await vault.close();
      await removeData(folder);
    },
  };
};

const pairsEach = 4;
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
  readonly acknowledged: Set<string>;
}

interface ErasureKills extends Killed {
  readonly requested: number;
  readonly acknowledged: number;
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

/** Erases pairs, in half of them the audio first, while others write. Returns what is to be done once it is killed. */
const erase = (client: HttpClient, storage: Storage, { pairs, acknowledged }: Round): (() => Promise<void>) => {
  storage.disturb();
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
  return async () => {
    killed.abort();
    await Promise.all([...erasing, ...writing]);
    storage.stopDisturbing();
  };
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
  const faults: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds ? 0 : faults.push(`${pair.video}: ${what}`));
  const inLog = (await foundIn(folder, [pair.videoWord, pair.audioWord])).filter((found) =>
    found.startsWith('events.db'),
  );
  expect(inLog.length === 0, `the log says in clear ${inLog.join(', ')}`);
  const [video, audio] = [await client.get(pair.video), await client.get(pair.audio)];
  for (const [path, own, other, word, linked] of [
    [pair.video, video, audio, pair.videoWord, '"video_id":null'],
    [pair.audio, audio, video, pair.audioWord, '"audio_id":null'],
  ] as const) {
    expect(own.status === 410 || (own.status === 200 && !acknowledged.has(path)), `${path} is ${own.status}`);
    if (own.status !== 410) continue;
    expect(await isDestroyed(keyOf(path)), `the key of ${path} is still there`);
    if (other.status === 200) expect(other.text.includes(linked), `${path} is still linked`);
    expect(!other.text.includes(word), `the other still says what ${path} is called: ${other.text}`);
    const found = await filesWith(folder, word);
    expect(found.length === 0, `what ${path} was called is in ${found.join(', ')}`);
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
  onKill,
}: Options): Promise<ErasureKills> => {
  const storage = await openStorage();
  const rounds: Round[] = [];
  const acknowledged = (): number => rounds.reduce((sum, round) => sum + round.acknowledged.size, 0);
  const killed = await killUnderLoad({
    data_dir: storage.folder,
    env: storage.env,
    goesOn: (done) => done < kills,
    longest_ms: 500,
    onKill: (done) => onKill?.(done, acknowledged()),
    load: async ({ admin }, done) => {
      const pairs = await Promise.all(
        Array.from({ length: pairsEach }, (_, index) => registered(admin, `r${done}v${index}`)),
      );
      const round = { pairs, acknowledged: new Set<string>() };
      rounds.push(round);
      return erase(admin, storage, round);
    },
    judge: async ({ admin }, done) => {
      const last = rounds.at(-1) ?? { pairs: [], acknowledged: new Set() };
      const faults: string[] = [];
      for (const pair of last.pairs) faults.push(...(await faultsOf(admin, storage, pair, last)));
      return done === kills || done % verifyEach === 0 ? [...faults, ...(await faultsOfLog(storage))] : faults;
    },
  });
  await storage.end();
  return { ...killed, requested: 2 * rounds.flatMap(({ pairs }) => pairs).length, acknowledged: acknowledged() };
};
