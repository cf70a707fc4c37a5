import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Application } from '../../../application/application.js';
import { readEvent } from '../../../application/commands/read-event.js';
import { renameSpeakers } from '../../../application/use-cases/audios/change-audio.js';
import {
  queueMatchRun,
  receiveWriteBack,
  revertMatchRun,
} from '../../../application/use-cases/match-runs/match-runs.js';
import { matchFaces } from '../../../application/use-cases/videos/change-video.js';
import { registerAudio, registerVideo } from '../../../application/use-cases/videos/register.js';
import type { Json } from '../../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import { Mapping } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { isInFlight, isStale, type SuggestionBlock } from '../../../domain/video/write-back.js';
import { audio, video } from '../application/media.js';
import { foundFaces, foundSpeakers, recordAudioAnalysis, recordVideoAnalysis } from '../application/record.js';
import type { World } from '../application/world.js';
import { succeeded } from '../event-store/outcomes.js';
import { at, audioId, faceId, personName, runId, speakerId, videoId } from '../values.js';
import { proposed } from '../video-events.js';
import type { Answer, Booking, Seen } from './outcome.js';
import { runAgo } from './predict.js';
import type { Step } from './steps.js';

type BookedEvent = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;

interface Observed {
  /** The write-backs that were booked since the last call. */
  readonly newBookings: (numberOf: (id: string) => number) => Promise<ReadonlyArray<Booking>>;
  readonly seen: () => Promise<Seen>;
  readonly block: () => SuggestionBlock | null;
}

const noon = Date.parse(at(0));
const milliseconds = (time: Timestamp | null): number | null => (time === null ? null : Date.parse(time) - noon);

const names = { SuggestionsStored: 'stored', MatchesCommitted: 'committed', MatchRunFailed: 'failed' } as const;

const traitsValue = (traits: { readonly [key: string]: Json } | null): number | null =>
  typeof traits?.['value'] === 'number' ? traits['value'] : null;

const bookingOf = (event: BookedEvent, numberOf: (id: string) => number): Booking => {
  const { run_id, attribution, candidate_run_ids, late_write_suspected, late } = event.data;
  return {
    event: names[event.type],
    run: numberOf(run_id),
    attribution,
    candidates: candidate_run_ids.map(numberOf),
    lateWriteSuspected: late_write_suspected,
    late,
    withdrawsBlock: event.type === 'MatchRunFailed' && event.data.withdraws_block,
  };
};

/** Reads new events of the video's stream, and the state of the video in the application. */
const observe = (app: Application, name: string): Observed => {
  let revision = -1;
  let block: SuggestionBlock | null = null;
  const newEvents = async () => {
    const page = await succeeded(app.store.read(`video-${name}`, revision, 1_000));
    revision += page.length;
    return succeeded(TE.fromEither(E.traverseArray(readEvent)(page)));
  };
  return {
    block: () => block,
    newBookings: async (numberOf) => {
      const bookings: Array<Booking> = [];
      for (const { event } of await newEvents())
        if (
          event.type === 'SuggestionsStored' ||
          event.type === 'MatchesCommitted' ||
          event.type === 'MatchRunFailed'
        ) {
          bookings.push(bookingOf(event, numberOf));
          if (event.type === 'SuggestionsStored') block = event.data.block;
        }
      return bookings;
    },
    seen: async () => {
      const { state: video } = await succeeded(app.videos.load(name));
      const { state: audio } = await succeeded(app.audios.load(name));
      if (video._tag !== 'Registered' || audio._tag !== 'Registered') throw new Error('not registered');
      const { status, queued_at, mode } = video.match;
      return {
        status,
        queuedAt: milliseconds(queued_at),
        mode,
        inFlight: isInFlight(video.match, app.clock.now(), app.stale_seconds),
        stale: isStale(video.match, app.clock.now(), app.stale_seconds),
        faces: [...video.faces.values()]
          .sort((a, b) => a.face_id - b.face_id)
          .map((face) => [
            face.face_id,
            face.name,
            face.speaker_id,
            face.accuracy,
            traitsValue(face.personality_traits),
          ]),
        speakers: [...audio.speakers.values()]
          .sort((a, b) => a.speaker_id - b.speaker_id)
          .map((speaker) => [speaker.speaker_id, speaker.name]),
        block: block?.mappings.map((mapping) => [mapping.face_id, mapping.speaker_id, mapping.name]) ?? null,
      };
    },
  };
};

/** A video with its audio in the application, to which the steps of the model are applied. */
export interface Subject {
  readonly name: string;
  readonly world: World;
  readonly runs: string[];
  readonly observed: Observed;
}

type Of<Kind extends Step['do']> = Extract<Step, { do: Kind }>;

const answerOf = async <A>(
  work: TE.TaskEither<{ readonly _tag: string }, A>,
  toAnswer: (value: A) => Answer = () => ({ tag: 'done' }),
): Promise<Answer> => {
  const outcome = await work();
  return E.isLeft(outcome) ? { tag: 'refused', refusal: outcome.left._tag } : toAnswer(outcome.right);
};

export const openSubject = async (world: World, name: string): Promise<Subject> => {
  const { app, request } = world;
  await succeeded(registerVideo(app, request(), video(name)));
  await succeeded(registerAudio(app, request(), audio(name, name)));
  return { name, world, runs: [], observed: observe(world.app, name) };
};

/** The number of a run, assigned at its first occurrence. */
export const numberOf = ({ runs }: Subject, id: string): number => {
  const known = runs.indexOf(id);
  return known === -1 ? runs.push(id) - 1 : known;
};

const trigger = (subject: Subject, { mode, targets }: Of<'trigger'>): Promise<Answer> => {
  const { app, request } = subject.world;
  return answerOf(
    queueMatchRun(app, request(), videoId(subject.name), mode, targets?.map(speakerId) ?? null),
    ({ run_id }) => ({ tag: 'queued', run: numberOf(subject, run_id) }),
  );
};

const answer = (subject: Subject, step: Of<'answer'>): Promise<Answer> => {
  const { app, request } = subject.world;
  const ago = runAgo(subject.runs.length, step.run);
  const id = ago === null ? undefined : subject.runs[ago];
  const matches = step.matches.map(([face, speaker]) => proposed(face, speaker, step.accuracy));
  return answerOf(
    receiveWriteBack(
      app,
      request(),
      videoId(subject.name),
      id === undefined ? null : runId(id),
      step.failed ? { status: 'failed', error: 'broken' } : { status: 'completed', matches, unmatched_speakers: [] },
    ),
    ({ status, run_id, reason }) => ({
      tag: 'received',
      status,
      run: run_id === null ? null : numberOf(subject, run_id),
      reason,
    }),
  );
};

const map = ({ world, name }: Subject, mappings: ReadonlyArray<Mapping>): Promise<Answer> =>
  answerOf(matchFaces(world.app, world.request(), videoId(name), mappings));

/** Sends the stored block back unchanged. */
const mapBlock = (subject: Subject): Promise<Answer> =>
  map(subject, (subject.observed.block()?.mappings ?? []).filter(Mapping.is));

const revert = (subject: Subject, step: Of<'revert'>): Promise<Answer> => {
  const { app, request } = subject.world;
  const id = subject.runs[runAgo(subject.runs.length, step.run) ?? -1];
  return id === undefined
    ? Promise.resolve({ tag: 'done' })
    : answerOf(
        revertMatchRun(app, request(), videoId(subject.name), runId(id), false),
        ({ reverted, changed_since }): Answer => ({
          tag: 'reverted',
          faces: [...reverted].sort((a, b) => a - b),
          left: [...changed_since].sort((a, b) => a - b),
        }),
      );
};

const analyseVideo = ({ world, name }: Subject, { status, faces }: Of<'analyse video'>): Promise<Answer> =>
  answerOf(
    recordVideoAnalysis(world.app, world.request(), videoId(name), {
      status,
      faces: faces.flatMap(({ id, name: called, traits }) => {
        const personality_traits = traits === undefined ? undefined : { value: traits };
        return foundFaces([[id, called]], { personality_traits }).faces;
      }),
    }),
  );

const analyseAudio = ({ world, name }: Subject, { status, speakers }: Of<'analyse audio'>): Promise<Answer> => {
  const found = foundSpeakers(
    speakers.map((one) => [one.id, one.name]),
    { status },
  );
  return answerOf(recordAudioAnalysis(world.app, world.request(), audioId(name), found));
};

/** Performs a step in the application, except for the passage of time. */
export const perform = (subject: Subject, step: Step): Promise<Answer> => {
  const { world, name } = subject;
  const { app, request } = world;
  const at = request().at;
  switch (step.do) {
    case 'trigger':
      return trigger(subject, step);
    case 'answer':
      return answer(subject, step);
    case 'map': {
      const mapping = ([face, speaker]: readonly [number, number], index: number): Mapping => ({
        face_id: faceId(face),
        speaker_id: speakerId(speaker),
        name: step.names[index] ?? null,
      });
      return map(subject, step.pairs.map(mapping));
    }
    case 'map block':
      return mapBlock(subject);
    case 'rename speaker': {
      const speakers = [{ speaker_id: speakerId(step.id), name: personName(step.name) }];
      return answerOf(renameSpeakers(app, request(), audioId(name), speakers));
    }
    case 'rename face': {
      const faces = [{ face_id: faceId(step.id), name: personName(step.name) }];
      return answerOf(app.perform(request(), 'videos', videoId(name), { type: 'RenameFaces', faces, at }));
    }
    case 'revert':
      return revert(subject, step);
    case 'analyse video':
      return analyseVideo(subject, step);
    case 'analyse audio':
      return analyseAudio(subject, step);
    case 'record traits': {
      const traits = { face_id: faceId(step.face), personality_traits: { value: step.traits } };
      return answerOf(app.perform(request(), 'videos', videoId(name), { type: 'RecordPersonalityTraits', ...traits }));
    }
    case 'pass':
    case 'pass to the edge':
      return Promise.resolve({ tag: 'done' });
  }
};
