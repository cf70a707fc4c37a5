import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Application } from '../../../application/application.js';
import { readEvent } from '../../../application/commands/read-event.js';
import { registerAudio, registerVideo } from '../../../application/use-cases/videos/register.js';
import type { AudioId, VideoId } from '../../../domain/kernel/ids.js';
import type { Json } from '../../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { isInFlight, isStale, type SuggestionBlock } from '../../../domain/video/write-back.js';
import { audio, audioState, video, videoState, type World } from '../application/world.js';
import { succeeded } from '../event-store/stores.js';
import { at, audioId, videoId } from '../values.js';
import type { Answer, Booking, Seen } from './model.js';

/** A video with its audio in the application, to which the steps of the model are applied. */
export interface Subject {
  readonly app: Application;
  readonly request: World['request'];
  readonly video_id: VideoId;
  readonly audio_id: AudioId;
  /** The ids of the runs, in the order of their first occurrence. */
  readonly runs: string[];
  /** The stored block. */
  readonly block: () => SuggestionBlock | null;
  /** The write-backs that were booked since the last call. */
  readonly newBookings: () => Promise<ReadonlyArray<Booking>>;
  readonly seen: () => Promise<Seen>;
}

export const answerOf = async <A>(
  work: TE.TaskEither<{ readonly _tag: string }, A>,
  toAnswer: (value: A) => Answer = () => ({ tag: 'done' }),
): Promise<Answer> => {
  const outcome = await work();
  return E.isLeft(outcome) ? { tag: 'refused', refusal: outcome.left._tag } : toAnswer(outcome.right);
};

/** The number of a run, assigned at its first occurrence. */
export const numberOf = ({ runs }: Pick<Subject, 'runs'>, id: string): number => {
  const known = runs.indexOf(id);
  return known === -1 ? runs.push(id) - 1 : known;
};

const names = { SuggestionsStored: 'stored', MatchesCommitted: 'committed', MatchRunFailed: 'failed' } as const;

const isBooking = (event: { readonly type: string }): event is Extract<VideoEvent, { type: keyof typeof names }> =>
  event.type in names;

const noon = Date.parse(at(0));
const milliseconds = (time: Timestamp | null): number | null => (time === null ? null : Date.parse(time) - noon);

const traitsValue = (traits: { readonly [key: string]: Json } | null): number | null =>
  typeof traits?.['value'] === 'number' ? traits['value'] : null;

export const openSubject = async (world: World, name: string): Promise<Subject> => {
  const { app, request } = world;
  const [video_id, audio_id] = [videoId(name), audioId(name)];
  await succeeded(registerVideo(app, request(), video(name)));
  await succeeded(registerAudio(app, request(), audio(name, name)));
  const runs: string[] = [];
  const numbered = (id: string): number => numberOf({ runs }, id);
  let revision = -1;
  let block: SuggestionBlock | null = null;
  return {
    app,
    request,
    video_id,
    audio_id,
    runs,
    block: () => block,
    newBookings: async () => {
      const page = await succeeded(app.store.read(`video-${name}`, revision, 1_000));
      revision += page.length;
      const read = await succeeded(TE.fromEither(E.traverseArray(readEvent)(page)));
      const events = read.map(({ event }) => event).filter(isBooking);
      for (const event of events) if (event.type === 'SuggestionsStored') ({ block } = event.data);
      return events.map((event) => ({
        event: names[event.type],
        run: numbered(event.data.run_id),
        attribution: event.data.attribution,
        candidates: event.data.candidate_run_ids.map(numbered),
        lateWriteSuspected: event.data.late_write_suspected,
        late: event.data.late,
        withdrawsBlock: event.type === 'MatchRunFailed' && event.data.withdraws_block,
      }));
    },
    seen: async () => {
      const [{ match, faces }, { speakers }] = [await videoState(world, name), await audioState(world, name)];
      return {
        status: match.status,
        queuedAt: milliseconds(match.queued_at),
        mode: match.mode,
        inFlight: isInFlight(match, app.clock.now(), app.stale_seconds),
        stale: isStale(match, app.clock.now(), app.stale_seconds),
        faces: [...faces.values()]
          .sort((a, b) => a.face_id - b.face_id)
          .map(({ face_id, name: called, speaker_id, accuracy, personality_traits }) => [
            face_id,
            called,
            speaker_id,
            accuracy,
            traitsValue(personality_traits),
          ]),
        speakers: [...speakers.values()]
          .sort((a, b) => a.speaker_id - b.speaker_id)
          .map((speaker) => [speaker.speaker_id, speaker.name]),
        block: block?.mappings.map((mapping) => [mapping.face_id, mapping.speaker_id, mapping.name]) ?? null,
      };
    },
  };
};
