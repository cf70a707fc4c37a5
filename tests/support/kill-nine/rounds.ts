import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { openLogOf, removeData } from '../engine.js';
import { until, temporaryFolder } from '../event-store/stores.js';
import { type HttpAnswer, type HttpClient, NoAnswerError, bodyOf } from '../http-client.js';
import { lostRequests, wrongAnswers, faultsOfLog, settledLog } from './log.js';
import { type Killed, killUnderLoad } from '../killed-service.js';

/** A request that was answered with 200 and an event position. */
export interface Acknowledged {
  readonly client: number;
  readonly request_id: string;
  readonly position: string;
  /** The new names in its body, which its events must hold. */
  readonly names: ReadonlyArray<string>;
}

export interface Load {
  readonly acknowledged: ReadonlyArray<Acknowledged>;
  /** Answers with a status of 500 or above. */
  readonly faults: ReadonlyArray<string>;
  /** Resolves once every client has noticed that the service has ended. */
  readonly ended: Promise<void>;
}

const speakers = 4;
const random = (below: number): number => Math.floor(Math.random() * below);
const anyName = (): string => `Name ${randomUUID().slice(0, 8)}`;
const other = (id: number): number => (id + 1 + random(speakers - 1)) % speakers;

type Send = (method: 'post' | 'put', path: string, body: unknown) => Promise<HttpAnswer>;

const ids = Array.from({ length: speakers }, (_, id) => id);

/** Registers a linked video and audio, in either order, and sends their analyses. */
export const registerPair = async (send: Send, id: string): Promise<void> => {
  const [video_id, audio_id] = [id, `${id}-audio`];
  if (random(2) === 0) {
    await send('post', '/v2/videos', { video_id });
    await send('post', '/v2/audios', { audio_id, video_id, title: 'linked' });
  } else {
    await send('post', '/v2/audios', { audio_id });
    await send('post', '/v2/videos', { video_id, audio_id, title: 'linked' });
  }
  await analyse(send, id);
};

const analyse = async (send: Send, id: string): Promise<void> => {
  const named = ids.map((speaker_id) => ({ speaker_id, name: anyName() }));
  const segments = ids.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + random(9) }));
  await send('put', `/v2/audios/${id}-audio/analysis`, { status: 'completed', speakers: named, segments });
  const faces = ids.map((face) => ({ id: face, tracks: [{ start: face, end: face + random(9) }] }));
  await send('put', `/v2/videos/${id}/analysis`, { status: 'completed', faces });
};

const match = (send: Send, id: string, named: boolean): Promise<unknown> => {
  const [face, speaker] = [random(speakers), random(speakers)];
  const mappings = [
    { face_id: face, speaker_id: speaker, ...(named ? { name: anyName() } : {}) },
    { face_id: other(face), speaker_id: other(speaker) },
  ];
  return send('put', `/v2/videos/${id}/speaker-face-match`, { mappings });
};

const Run = t.type({ run_id: t.string });

/** Triggers a run and sends its write-back: with the run id, without it, twice, or never. */
const runMatch = async (send: Send, id: string): Promise<void> => {
  const path = `/v2/videos/${id}/speaker-face-match${random(2) === 0 ? '' : '/suggestions'}`;
  const answer = await send('post', path, { target_speaker_ids: [random(speakers)] });
  const matches = [{ face_id: random(speakers), speaker_id: random(speakers), accuracy: Math.random() }];
  const body = random(5) === 0 ? { status: 'failed', error: 'no luck' } : { matches };
  const writeBack = `/v2/videos/${id}/matched_speakers`;
  const run_id = answer.status === 200 ? bodyOf(Run, answer).run_id : null;
  if (run_id !== null && random(3) === 0) await send('put', writeBack, body);
  if (random(4) > 0) await send('put', writeBack, { ...body, run_id });
};

const sendRandomRequest = async (send: Send, id: string): Promise<unknown> => {
  const name = anyName();
  const one = random(speakers);
  switch (random(10)) {
    case 0:
      return registerPair(send, `pair-${randomUUID()}`);
    case 1:
      return analyse(send, id);
    case 2:
    case 3:
      return runMatch(send, id);
    case 4:
      return send('put', `/v1/audios/${id}-audio/speakers/names`, [{ speaker_id: one, name }]);
    case 5:
      return send('put', `/v1/videos/${id}/faces/names`, [{ face_id: one, name }]);
    default:
      return match(send, id, random(2) === 0);
  }
};

/** Starts clients that send random requests about the media until the service ends. */
export const startClients = (client: HttpClient, clients: number, media: ReadonlyArray<string>): Load => {
  const acknowledged: Acknowledged[] = [];
  const faults: string[] = [];
  const run = async (number: number): Promise<void> => {
    const send: Send = async (method, path, body) => {
      const request_id = `k9-${randomUUID()}`;
      const answer = await client[method](path, body, { 'X-Request-Id': request_id });
      const position = answer.headers.get('X-Event-Position');
      if (answer.status >= 500) faults.push(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      // An analysis leaves the names that people gave.
      const names = path.endsWith('/analysis') ? [] : (JSON.stringify(body).match(/Name \w{8}/g) ?? []);
      if (answer.status === 200 && position !== null)
        acknowledged.push({ client: number, request_id, position, names });
      return answer;
    };
    try {
      for (;;) await sendRandomRequest(send, media[random(media.length)] ?? '');
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, (_, number) => run(number))).then(() => undefined);
  return { acknowledged, faults, ended };
};

/** Sends requests without recording the acknowledged ones. */
export const sendOnly =
  (client: HttpClient): Send =>
  (method, path, body) =>
    client[method](path, body);

interface KillNine extends Killed {
  /** Requests that were acknowledged. */
  readonly acknowledged: number;
  /** Events in the log at the end. */
  readonly events: number;
}

const media = ['shared-1', 'shared-2', 'shared-3'];
const clients = 8;
const patience_ms = 10_000;
/** After every n-th kill the read models are deleted before the restart. */
const rebuildEvery = 5;

/** Kills a service while clients write, and checks that nothing that it acknowledged is lost or incomplete. */
export const killNine = async (
  kills: number,
  onKill?: (kills: number, acknowledged: number) => void,
): Promise<KillNine> => {
  const { path } = await temporaryFolder();
  const known: Acknowledged[] = [];
  let load: Load | null = null;
  let [head, events] = ['', 0];
  const isRebuilt = (kill: number): boolean => kill % rebuildEvery === 0;
  const killed = await killUnderLoad({
    data_dir: path,
    goesOn: (done) => done < kills,
    longest_ms: 1_000,
    onKill: (done) => onKill?.(done, known.length),
    load: async ({ admin }, done) => {
      if (done === 0) for (const id of media) await registerPair(sendOnly(admin), id);
      const { acknowledged, ended } = (load = startClients(admin, clients, media));
      await until('two acknowledgements', () => acknowledged.length > 1);
      return async () => {
        await ended;
        known.push(...acknowledged);
        if (isRebuilt(done + 1)) rmSync(join(path, 'read-models.db'));
      };
    },
    judge: async ({ admin }, kill) => {
      const opened = await openLogOf(path);
      try {
        const log = await settledLog(opened.store, patience_ms);
        const wrong = await wrongAnswers(admin, log, head);
        head = log.events.at(-1)?.position ?? head;
        events = log.events.length;
        const lost = lostRequests(log, isRebuilt(kill) ? known : (load?.acknowledged ?? []));
        return [...(load?.faults ?? []), ...faultsOfLog(log), ...lost, ...wrong];
      } finally {
        await opened.close();
      }
    },
  });
  await removeData(path);
  return { ...killed, acknowledged: known.length, events };
};
