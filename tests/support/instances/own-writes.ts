import { randomUUID } from 'node:crypto';
import * as t from 'io-ts';
import { expectOk } from '../e2e/media.js';
import { type HttpClient, NoAnswerError, bodyOf } from '../http-client.js';

const Audio = t.type({ speakers: t.array(t.type({ name: t.union([t.string, t.null]) })) });

/** Creates an audio that only one client writes to. */
export const prepareOwn = (client: HttpClient): Promise<unknown> =>
  expectOk(
    client
      .post('/v2/audios', { audio_id: 'own' })
      .then(() =>
        client.put('/v2/audios/own/analysis', { status: 'completed', speakers: [{ speaker_id: 1 }], segments: [] }),
      ),
  );

/** Writes on one instance and reads on another with the position of the write, which must show it. Returns the fault. */
export const readOwnWrite = async (writer: HttpClient, reader: HttpClient): Promise<string | null> => {
  const name = `Name ${randomUUID().slice(0, 8)}`;
  try {
    const written = await writer.put('/v1/audios/own/speakers/names', [{ speaker_id: 1, name }]);
    const position = written.headers.get('X-Event-Position');
    if (written.status === 503) return null;
    if (written.status !== 200 || position === null) return `a name was answered ${written.status}: ${written.text}`;
    const read = await reader.get('/v2/audios/own', { 'X-Min-Position': position });
    if (read.status === 503) return null;
    const shown = bodyOf(Audio, read).speakers[0]?.name;
    return shown === name ? null : `${name}, written at ${position}, is ${shown} on another instance`;
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
};
