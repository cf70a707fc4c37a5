import type { Application } from '../../../application/application.js';
import { readEvent } from '../../../application/commands/read-event.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { Json } from '../../../domain/kernel/recorded-event.js';
import { type SuggestionBlock, isInFlight, isStale } from '../../../domain/video/write-back.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { succeeded } from '../event-store/outcomes.js';
import { at } from '../values.js';
import type { Booking, Seen } from './outcome.js';

type BookedEvent = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;

export interface Observed {
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
export const observe = (app: Application, name: string): Observed => {
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
