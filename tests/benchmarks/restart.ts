import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { Checkpoints, EventStore } from '../../application/ports/event-store.js';
import { renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { queueMatchRun, receiveWriteBack } from '../../application/use-cases/match-runs/match-runs.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { median, quick, whole } from './support/figures.js';
import {
  audio,
  video,
  type World,
  world,
  foundFaces,
  foundSpeakers,
  recordAudioAnalysis,
  recordVideoAnalysis,
} from '../support/application/world.js';
import { appendCopy, openInMemory, succeeded, temporaryFolder } from '../support/event-store/stores.js';
import { processorSeconds } from '../support/processes.js';
import { startServiceProcess } from '../support/service-process.js';
import { audioId, faceId, personName, speakerId, videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

const four = [0, 1, 2, 3];

/** The events of one video with its audio, written by the use cases: 17 events. */
const liveOnce = async ({ app, request, pass }: World, number: number): Promise<void> => {
  const [video_id, audio_id] = [videoId(`v${number}`), audioId(`a${number}`)];
  const facts = { title: `Call ${number}`, kind: 'meeting' } as const;
  await succeeded(registerVideo(app, request(), { ...video(video_id), ...facts }));
  await succeeded(registerAudio(app, request(), { ...audio(audio_id, video_id), ...facts }));
  pass(1);
  const turns = four.map((id) => ({ speaker_id: speakerId(id), start: id * 10, end: id * 10 + 9 }));
  const transcript = turns.map((turn) => ({ ...turn, text: 'Good day' }));
  const speakers = foundSpeakers(
    four.map((id) => [id, `SPEAKER_0${id}`]),
    { segments: turns, transcript },
  );
  await succeeded(recordAudioAnalysis(app, request(), audio_id, speakers));
  await succeeded(
    recordVideoAnalysis(app, request(), video_id, {
      status: 'completed',
      faces: four.flatMap((id) => {
        const tracks = [{ start: id * 10, end: id * 10 + 9 }];
        const personality_traits = { openness: 0.61, calm: 0.4 };
        return foundFaces([[id, `Face ${id}`]], { tracks, personality_traits }).faces;
      }),
    }),
  );
  pass(1);
  const { run_id } = await succeeded(queueMatchRun(app, request(), video_id, 'suggest', null));
  const matches = four.slice(1).map((id) => proposed(id, id));
  await succeeded(
    receiveWriteBack(app, request(), video_id, run_id, { status: 'completed', matches, unmatched_speakers: [] }),
  );
  pass(1);
  const named = (id: number, name: string) => ({ face_id: faceId(id), speaker_id: speakerId(id), name });
  await succeeded(matchFaces(app, request(), video_id, [named(0, 'Ada Byron'), named(1, 'Alan Perlis')]));
  pass(1);
  await succeeded(
    renameSpeakers(app, request(), audio_id, [{ speaker_id: speakerId(1), name: personName('Alan J. Perlis') }]),
  );
  await succeeded(
    app.perform(request(), 'videos', video_id, {
      type: 'RecordPersonalityTraits',
      face_id: faceId(0),
      personality_traits: { openness: 0.7, calm: 0.2 },
    }),
  );
};

const atOnce = 100;
/** The processes of the service that have a checkpoint. */
const processes = ['follow-ups', 'match-worker'];

/** Fills an empty log with at least this many events of many videos; returns their number. */
const fillLog = async (store: EventStore, checkpoints: Checkpoints, least: number): Promise<number> => {
  let filled = 0;
  for (let first = 0; filled < least; first += atOnce) {
    const memory = await openInMemory();
    const small = world(memory.store, `world ${first}`);
    await Promise.all(Array.from({ length: atOnce }, (_, index) => liveOnce(small, first + index)));
    const { events } = await succeeded(memory.store.readAll(null, {}, Number.MAX_SAFE_INTEGER));
    await Promise.all(events.map((event) => appendCopy(store, event)));
    await memory.close();
    filled += events.length;
  }
  const head = await succeeded(store.head());
  if (head !== null) for (const name of processes) await succeeded(checkpoints.save(name, head));
  return filled;
};

/* From the start of the process to /readyz on a long log: with read models, and from zero without. */

const least = quick ? 10_000 : 200_000;
const runs = quick ? 1 : 3;

const { path, remove } = await temporaryFolder();
const filling = openSqliteEventStore({ file: join(path, 'events.db') });
const events = await fillLog(filling.store, filling.checkpoints, least);
await filling.close();

interface Started {
  readonly ready_ms: number;
  /** Seconds of processor time until it was ready. */
  readonly processor: number;
}

const start = async (): Promise<Started> => {
  const { ready_ms, pid, stop } = await startServiceProcess(path, { patience_ms: 600_000 });
  const processor = processorSeconds(pid);
  await stop();
  return { ready_ms, processor };
};

const rebuilt: Started[] = [];
const restarted: Started[] = [];
for (let run = 0; run < runs; run += 1) {
  ['', '-wal', '-shm'].forEach((suffix) => rmSync(join(path, `read-models.db${suffix}`), { force: true }));
  rebuilt.push(await start());
  restarted.push(await start());
}
await remove();

const ready = (all: ReadonlyArray<Started>): number => median(all.map(({ ready_ms }) => ready_ms));
const processor = (all: ReadonlyArray<Started>): number => median(all.map((one) => one.processor));
/** Without the duration of a start that rebuilds nothing. */
const perSecond = (events * 1_000) / (ready(rebuilt) - ready(restarted));

console.log(`A log of ${whole(events)} events`);
console.table({
  'restart, read models present': {
    'ready after ms': whole(ready(restarted)),
    'CPU s': processor(restarted),
  },
  'rebuild from zero': {
    'ready after ms': whole(ready(rebuilt)),
    'CPU s': processor(rebuilt),
    'events /s': whole(perSecond),
    'events per CPU s': whole(events / (processor(rebuilt) - processor(restarted))),
  },
});
