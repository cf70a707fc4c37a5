import * as t from 'io-ts';
import { openAccount, bodyOf, httpClient } from '../support/http-client.js';
import { createMedia } from '../support/e2e/media.js';
import { adminKey } from '../support/service-process.js';
import type { Role, Names } from './requests.js';

const Key = t.type({ key: t.string, key_id: t.string });
const Run = t.type({ run_id: t.string });
const Session = t.type({ session_id: t.string });

const three = [1, 2, 3];
const longAgo = 1_000_000;

const texts = [
  'Hello, this is Ada Lovelace.',
  'Nice to meet you, Ada. My name is Alan Turing.',
  'Thank you for calling.',
];
const found = {
  faces: three.map((id) => ({ id, tracks: [{ start: id, end: id + 5 }] })),
  speakers: three.map((speaker_id) => ({ speaker_id })),
  segments: three.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 5 })),
  transcript: three.map((speaker_id, at) => ({ speaker_id, start: at, end: at + 1, text: texts[at] })),
};

/**
 * Accounts, keys and media for a share of the requests. Each share has its own, so that the effects of one request do
 * not affect all later ones, and no stream grows without limit.
 */
export const setting = async (url: string, share: number): Promise<Names> => {
  const admin = httpClient(url, adminKey);
  const name = (what: string): string => `share-${share}-${what}`;
  const keyed = async (account: string, permissions: ReadonlyArray<string> = []) => {
    await openAccount(admin, name(account));
    return bodyOf(Key, await admin.post(`/v1/accounts/${name(account)}/keys`, { permissions }));
  };
  const [owner, stranger] = [await keyed('owner'), await keyed('stranger')];
  const [worker, mediaWriter] = [await keyed('worker', ['WORKER']), await keyed('media-writer', ['MEDIA_WRITE'])];
  const disposable = await keyed('owner');
  await admin.post(`/v1/accounts/${name('owner')}/credits`, { amount: longAgo, reason: 'for the fuzz' });
  const [asOwner, asWorker] = [httpClient(url, owner.key), httpClient(url, worker.key)] as const;
  const callers = { owner: asOwner, worker: asWorker };
  const media = await createMedia(callers, { ids: [name('video'), name('audio')], ...found });
  await createMedia(callers, { ids: [name('bare'), name('apart')], ...found, apart: true, videoStatus: null });
  const { run_id } = bodyOf(Run, await asOwner.post(media.match));
  /** The position of a change of names, which can be undone. */
  const changed = async (path: string, id: string): Promise<string> => {
    const answer = await asOwner.put(path, [{ [id]: 1, name: 'Grace' }]);
    return answer.headers.get('X-Event-Position') ?? 'none';
  };
  const faceChange = await changed(`/v1/videos/${name('video')}/faces/names`, 'face_id');
  const speakerChange = await changed(`/v1/audios/${name('audio')}/speakers/names`, 'speaker_id');
  await asOwner.post(`${media.video}/tags`, { tags: [{ key: 'label.x', value: 'x' }] });
  const made = bodyOf(Key, await asOwner.post('/v1/me/keys', {})).key_id;
  const { session_id } = bodyOf(Session, await asOwner.post('/v2/realtime/session'));
  const known: Readonly<Record<string, string>> = {
    run: run_id,
    session: session_id,
    key: disposable.key_id,
    made,
    faceChange,
    speakerChange,
  };
  const keys: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
    owner: { 'X-API-Key': owner.key },
    stranger: { 'X-API-Key': stranger.key },
    worker: { Authorization: `Bearer ${worker.key}` },
    mediaWriter: { 'X-API-Key': mediaWriter.key },
    admin: { 'X-API-Key': adminKey },
    nobody: {},
    wrong: { 'X-API-Key': 'none-of-ours' },
  };
  return {
    known: (text) =>
      text.replace(
        /@(video|audio|bare|apart|run|session|key|made|faceChange|speakerChange|owner|stranger|worker|new)/g,
        (_, what: string) => known[what] ?? name(what),
      ),
    keyOf: (role) => keys[role],
  };
};
