import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { SpeakerTurn, Utterance } from '../../domain/audio/events.js';
import type { Chunks } from '../../domain/kernel/media.js';
import type { RegisteredAudio, SpeakerChange } from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Box, Caption, TalkingScore } from '../../domain/video/events.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import { readPart, speakerIn } from './evidence.js';

/** Which items are wanted: those that overlap a span. */
export interface EvidenceQuery {
  /** In seconds; null: unbounded. */
  readonly from: number | null;
  readonly to: number | null;
  /** The current face or speaker id. */
  readonly subject: number | null;
  readonly limit: number;
}

/** Where a page begins. */
export interface PageStart {
  readonly part: number;
  /** Within the part. */
  readonly offset: number;
  /** The index within all items, as they were sent. */
  readonly index: number;
}

/** An interval of evidence, with the recorded face or speaker. */
interface Evidence<Item> extends Interval {
  readonly subject: number;
  readonly item: Item;
  /** The length of its text. */
  readonly characters: number;
}

export interface Found<Item> {
  readonly index: number;
  /** The current face or speaker of the item. */
  readonly subject: number;
  readonly item: Item;
}

export interface EvidencePage<Item> {
  readonly found: ReadonlyArray<Found<Item>>;
  readonly next: PageStart | null;
}

export interface EvidenceSource<Item> {
  readonly chunks: Chunks;
  /** The items of one part, in recorded order. */
  readonly itemsOf: (part: number) => TE.TaskEither<Failure, ReadonlyArray<Evidence<Item>>>;
  /** The current id of a recorded face or speaker: the same, another after a merge, or null. */
  readonly currentId: (recorded: number) => number | null;
}

/** Keeps a page well below 8 MB, with up to three bytes per character. */
const maxCharacters = 2_000_000;

/** A page of evidence in recorded order, of at most `limit` items and a few megabytes. */
export const evidencePage = <Item>(
  { chunks, itemsOf, currentId }: EvidenceSource<Item>,
  { from, to, subject: wanted, limit }: EvidenceQuery,
  place: PageStart | null,
): TE.TaskEither<Failure, EvidencePage<Item>> => {
  const found: Found<Item>[] = [];
  let characters = 0;
  const take = ({ part, offset, index }: PageStart): TE.TaskEither<Failure, EvidencePage<Item>> =>
    part >= chunks.parts
      ? TE.right({ found, next: null })
      : pipe(
          itemsOf(part),
          TE.chain((items) => {
            for (const [skipped, { start, end, subject: recorded, item, ...size }] of items.slice(offset).entries()) {
              const subject = currentId(recorded);
              const overlaps = (to === null || start < to) && (from === null || end > from);
              if (!overlaps || subject === null || (wanted !== null && subject !== wanted)) continue;
              const isFull = found.length >= limit || characters + size.characters > maxCharacters;
              if (isFull && found.length > 0)
                return TE.right({ found, next: { part, offset: offset + skipped, index: index + skipped } });
              found.push({ index: index + skipped, subject, item });
              characters += size.characters;
            }
            return take({ part: part + 1, offset: 0, index: index + items.length - offset });
          }),
        );
  return take(place ?? { part: 0, offset: 0, index: 0 });
};

/** A track, a talking score, a caption or a box of a face. */
export type FaceEvidence =
  | { readonly kind: 'tracks'; readonly value: Interval }
  | { readonly kind: 'talking'; readonly value: TalkingScore }
  | { readonly kind: 'captions'; readonly value: Caption }
  | { readonly kind: 'boxes'; readonly value: Box };

/** A box is of a moment, but what ends with a page's time span is not in it: it lasts a microsecond. */
const boxSeconds = 1e-6;

const faceEvidence =
  (withBoxes: boolean) =>
  (event: DomainEvent): ReadonlyArray<Evidence<FaceEvidence>> => {
    if (event.type !== 'FaceTracksRecorded') return [];
    return event.data.faces.flatMap(({ face_id: subject, tracks, talking, captions, boxes = [] }) => {
      const evidence = ({ start, end }: Interval, item: FaceEvidence, characters = 0) => ({
        subject,
        start,
        end,
        item,
        characters,
      });
      return [
        ...tracks.map((value) => evidence(value, { kind: 'tracks', value })),
        ...talking.map((value) => evidence(value, { kind: 'talking', value })),
        ...captions.map((value) => evidence(value, { kind: 'captions', value }, value.text.length)),
        ...(withBoxes ? boxes : []).map((value) =>
          evidence({ start: value.at, end: value.at + boxSeconds }, { kind: 'boxes', value }),
        ),
      ];
    });
  };

const speech = <Item extends Interval & { readonly speaker_id: SpeakerId; readonly text?: string }>(
  item: Item,
): Evidence<Item> => {
  const { speaker_id: subject, start, end, text = '' } = item;
  return { subject, start, end, item, characters: text.length };
};

const turns = (event: DomainEvent): ReadonlyArray<Evidence<SpeakerTurn>> =>
  event.type === 'SpeakerTurnsRecorded' ? event.data.turns.map(speech) : [];

const utterances = (event: DomainEvent): ReadonlyArray<Evidence<Utterance>> =>
  event.type === 'TranscriptRecorded' ? event.data.utterances.map(speech) : [];

/** Maps recorded speakers to current ones. */
const currentSpeakers = (changes: ReadonlyArray<SpeakerChange>): ((recorded: number) => number | null) => {
  const speakerOf = speakerIn(changes);
  return (recorded) => (SpeakerId.is(recorded) ? speakerOf(recorded) : null);
};

/** How many items of one kind of evidence are cached. */
const maxItems = 100_000;

/**
 * The sources of one kind of evidence, with a cache of parts. An erasure empties the cache; a part that was being read
 * meanwhile goes to the old one, which nobody reads again.
 */
const sources = <Item>(
  { store, onErasure }: Uses<'store' | 'onErasure'>,
  itemsIn: (event: DomainEvent) => ReadonlyArray<Evidence<Item>>,
) => {
  const empty = () =>
    new LRUCache<string, ReadonlyArray<Evidence<Item>>>({
      maxSize: maxItems,
      sizeCalculation: ({ length }) => Math.max(1, length),
    });
  let cache = empty();
  onErasure(() => {
    cache = empty();
  });
  return (
    stream: string,
    chunks: Chunks | null,
    currentId: EvidenceSource<Item>['currentId'],
  ): EvidenceSource<Item> | null =>
    chunks && {
      chunks,
      currentId,
      itemsOf: (part) => {
        const revision = chunks.first_revision + part;
        const [into, key] = [cache, `${stream}@${revision}`];
        const known = into.get(key);
        return known !== undefined
          ? TE.right(known)
          : pipe(
              readPart(store, stream, revision),
              TE.map((events) => {
                const items = events.flatMap(itemsIn);
                into.set(key, items);
                return items;
              }),
            );
      },
    };
};

/** The sources of evidence that clients may read. Null for a record without such evidence. */
export const evidenceLists = (log: Uses<'store' | 'onErasure'>) => {
  const [faces, boxes] = [sources(log, faceEvidence(false)), sources(log, faceEvidence(true))];
  const [segments, transcript] = [sources(log, turns), sources(log, utterances)];
  return {
    /** Boxes are included if they are wanted. */
    tracks: (video: RegisteredVideo, withBoxes: boolean) =>
      (withBoxes ? boxes : faces)(`faceTracks-${video.video_id}`, video.tracks, (recorded) =>
        FaceId.is(recorded) && video.faces.has(recorded) ? recorded : null,
      ),
    segments: (audio: RegisteredAudio) =>
      segments(`speakerTurns-${audio.audio_id}`, audio.turns, currentSpeakers(audio.changes.turns)),
    transcript: (audio: RegisteredAudio) =>
      transcript(`transcript-${audio.audio_id}`, audio.transcript, currentSpeakers(audio.changes.transcript)),
  };
};
export type EvidenceLists = ReturnType<typeof evidenceLists>;
