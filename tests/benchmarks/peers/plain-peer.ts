import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import express, { type Response } from 'express';
import * as t from 'io-ts';
import Database from 'libsql';
import { faces } from '../support/media.js';

/*
 * The peer: PUT speaker-face-match written the plain way. Express, one row per video and per audio, one transaction
 * per request, no events. It checks the key, the owner, the body, faces and speakers as the service does, moves a
 * match, adopts names and clears personality data as the service does.
 */

const [data_dir = '.', videos = '0', key = ''] = process.argv.slice(2);

const db = new Database(join(data_dir, 'plain.db'));
db.exec('PRAGMA journal_mode = WAL');
db.exec('PRAGMA synchronous = FULL');
db.exec(`
  CREATE TABLE IF NOT EXISTS keys (hash TEXT PRIMARY KEY, account_id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS videos (id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, status TEXT NOT NULL,
    audio_id TEXT, faces TEXT NOT NULL, revision INTEGER NOT NULL, updated_at TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS audios (id TEXT PRIMARY KEY, speakers TEXT NOT NULL);
`);

const Faces = t.array(
  t.type({
    id: t.number,
    name: t.union([t.string, t.null]),
    speaker_id: t.union([t.number, t.null]),
    accuracy: t.union([t.number, t.null]),
    personality_traits: t.unknown,
  }),
);
const Speakers = t.array(t.type({ speaker_id: t.number, name: t.union([t.string, t.null]) }));
const Body = t.type({
  mappings: t.array(
    t.intersection([t.type({ face_id: t.number, speaker_id: t.number }), t.partial({ name: t.string })]),
  ),
});
const Video = t.tuple([t.string, t.string, t.union([t.string, t.null]), t.string]);

const ids = Array.from({ length: faces }, (_, id) => id);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const put = (table: string, ...values: ReadonlyArray<string | number>): unknown =>
  db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
const shown = ids.map((id) => ({
  id,
  name: `Person No ${id}`,
  speaker_id: null,
  accuracy: null,
  personality_traits: { openness: 0.61, calm: 0.4 },
}));
const speakers = ids.map((speaker_id) => ({ speaker_id, name: `Speaker No ${speaker_id}` }));
put('keys', hashOf(key), 'bench');
for (let number = 0; number < Number(videos); number += 1) {
  const audio_id = `v${number}-audio`;
  put('videos', `v${number}`, 'bench', 'completed', audio_id, JSON.stringify(shown), 0, new Date().toISOString());
  put('audios', audio_id, JSON.stringify(speakers));
}

const findKey = db.prepare('SELECT account_id FROM keys WHERE hash = ?').raw(true);
const findVideo = db.prepare('SELECT owner_id, status, audio_id, faces FROM videos WHERE id = ?').raw(true);
const findAudio = db.prepare('SELECT speakers FROM audios WHERE id = ?').raw(true);
const saveVideo = db.prepare('UPDATE videos SET faces = ?, revision = revision + 1, updated_at = ? WHERE id = ?');
const saveAudio = db.prepare('UPDATE audios SET speakers = ? WHERE id = ?');

const decode = <A>(codec: t.Decoder<unknown, A>, value: unknown): A | null => {
  const decoded = codec.decode(value);
  return E.isRight(decoded) ? decoded.right : null;
};
const firstOf = (row: unknown): string => (Array.isArray(row) ? String(row[0]) : 'null');
const isPlaceholder = (name: string | null): boolean => name === null || /^(face|speaker)[ _-]?\d+$/i.test(name.trim());

type Mappings = t.TypeOf<typeof Body>['mappings'];

/** What is wrong with a request as status and text; null once the rows are changed. */
const change = (video_id: string, account_id: string, body: unknown, response: Response): [number, string] | null => {
  const video = decode(Video, findVideo.get(video_id));
  if (video === null) return [404, 'unknown video'];
  const [owner_id, status, audio_id, facesText] = video;
  if (owner_id !== account_id) return [401, 'not yours'];
  const mappings = decode(Body, body)?.mappings;
  if (mappings === undefined) return [422, 'malformed body'];
  if (mappings.length === 0) return [400, 'mappings must not be empty'];
  if (new Set(mappings.map(({ face_id }) => face_id)).size < mappings.length) return [400, 'duplicate face_id'];
  if (new Set(mappings.map(({ speaker_id }) => speaker_id)).size < mappings.length)
    return [400, 'duplicate speaker_id'];
  if (audio_id === null) return [400, 'the video has no audio'];
  if (status !== 'completed') return [422, 'not completed'];
  const known = decode(Faces, JSON.parse(facesText)) ?? [];
  const speakers = decode(Speakers, JSON.parse(firstOf(findAudio.get(audio_id)))) ?? [];
  for (const { face_id, speaker_id } of mappings) {
    if (!known.some(({ id }) => id === face_id)) return [404, 'InvalidFace'];
    if (!speakers.some((speaker) => speaker.speaker_id === speaker_id)) return [404, 'InvalidSpeaker'];
  }
  const text = JSON.stringify(matched(known, mappings, speakers));
  const before = JSON.stringify(speakers);
  const after = JSON.stringify(
    speakers.map(({ speaker_id, name }) => ({
      speaker_id,
      name: mappings.find((mapping) => mapping.speaker_id === speaker_id)?.name ?? name,
    })),
  );
  if (text === facesText && after === before) return null;
  saveVideo.run(text, new Date().toISOString(), video_id);
  if (after !== before) saveAudio.run(after, audio_id);
  response.set('X-Event-Position', 'changed');
  return null;
};

const matched = (
  known: t.TypeOf<typeof Faces>,
  mappings: Mappings,
  speakers: t.TypeOf<typeof Speakers>,
): t.TypeOf<typeof Faces> =>
  known.map((face) => {
    const mapping = mappings.find(({ face_id }) => face_id === face.id);
    if (mapping === undefined)
      return mappings.some(({ speaker_id }) => speaker_id === face.speaker_id)
        ? { ...face, speaker_id: null, accuracy: null, personality_traits: null }
        : face;
    const { speaker_id } = mapping;
    const adopted = isPlaceholder(face.name)
      ? (speakers.find((speaker) => speaker.speaker_id === speaker_id)?.name ?? face.name)
      : face.name;
    const name = mapping.name ?? adopted;
    return face.speaker_id === speaker_id && face.name === name
      ? face
      : { ...face, name, speaker_id, accuracy: null, personality_traits: null };
  });

const app = express();
app.get('/readyz', (_, response) => void response.json({ status: 'ready' }));
app.put('/v2/videos/:video_id/speaker-face-match', express.json(), (request, response) => {
  const account: unknown = findKey.get(hashOf(request.get('x-api-key') ?? ''));
  if (!Array.isArray(account)) return void response.status(401).json({ detail: 'Missing or invalid API key' });
  db.exec('BEGIN IMMEDIATE');
  try {
    const body: unknown = request.body;
    const wrong = change(request.params.video_id, firstOf(account), body, response);
    db.exec('COMMIT');
    if (wrong !== null) return void response.status(wrong[0]).json({ detail: wrong[1] });
    return void response.json({ status: 'completed', message: 'Speaker-face matching completed successfully' });
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
});
app.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
