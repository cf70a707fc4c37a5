import type { SpeakerTurn, Utterance, Chunks } from '../../domain/audio/events.js';
import type { RegisteredAudio, SpeakerChange } from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Box, Caption, TalkingScore } from '../../domain/video/events.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import { type Evidence, type PartReader, type PartSummary, speakerIn, partReader } from './parts.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Failure } from '../failures.js';

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
export interface Place {
  readonly part: number;
  /** Within the part. */
  readonly offset: number;
  /** The index within all items, as they were sent. */
  readonly index: number;
}

export interface Found<Item> {
  readonly index: number;
  /** The current face or speaker of the item. */
  readonly subject: number;
  readonly item: Item;
}

export interface EvidencePage<Item> {
  readonly found: ReadonlyArray<Found<Item>>;
  readonly next: Place | null;
}

export interface EvidenceSource<Item extends Evidence> {
  readonly reader: PartReader<Item>;
  readonly stream: string;
  readonly chunks: Chunks;
  /** The current id of a recorded face or speaker: the same, another after a merge, or null. */
  readonly currentId: (recorded: number) => number | null;
}

/** Keeps a page well below 8 MB, with up to three bytes per character. */
const maxCharacters = 2_500_000;

const begin: Place = { part: 0, offset: 0, index: 0 };

const overlaps = ({ from, to }: EvidenceQuery, start: number, end: number): boolean =>
  (to === null || start < to) && (from === null || end > from);

const isWanted = (query: EvidenceQuery, currentId: (recorded: number) => number | null, recorded: number): boolean => {
  const subject = currentId(recorded);
  return subject !== null && (query.subject === null || query.subject === subject);
};

/** A page that is being filled. */
interface Filling<Item> {
  readonly found: Array<Found<Item>>;
  characters: number;
}

/**
 * Adds the matching items of one part to the page. Returns the place of the first item that does not fit. Allocates nothing
 * for items that do not match, since a part has thousands.
 */
const take = <Item extends Evidence>(
  { currentId }: EvidenceSource<Item>,
  query: EvidenceQuery,
  items: ReadonlyArray<Item>,
  { part, offset, index }: Place,
  page: Filling<Item>,
): Place | null => {
  for (let at = offset; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined || !overlaps(query, item.start, item.end)) continue;
    const subject = currentId(item.subject);
    if (subject === null || (query.subject !== null && query.subject !== subject)) continue;
    const isFull = page.found.length >= query.limit || page.characters + item.size > maxCharacters;
    if (isFull && page.found.length > 0) return { part, offset: at, index: index + at - offset };
    page.found.push({ index: index + at - offset, subject, item });
    page.characters += item.size;
  }
  return null;
};

const fill = <Item extends Evidence>(
  source: EvidenceSource<Item>,
  query: EvidenceQuery,
  summaries: ReadonlyArray<PartSummary> | null,
  place: Place,
  page: Filling<Item>,
): TE.TaskEither<Failure, EvidencePage<Item>> => {
  const { reader, stream, chunks, currentId } = source;
  if (place.part >= chunks.parts) return TE.right({ found: page.found, next: null });
  const summary = summaries?.[place.part];
  const goOn = (passed: number): TE.TaskEither<Failure, EvidencePage<Item>> =>
    fill(source, query, summaries, { part: place.part + 1, offset: 0, index: place.index + passed }, page);
  const mayHold =
    summary === undefined ||
    (overlaps(query, summary.earliest_start, summary.latest_end) &&
      [...summary.subjects].some((recorded) => isWanted(query, currentId, recorded)));
  if (!mayHold) return goOn(summary.count - place.offset);
  return pipe(
    reader.items(stream, chunks, place.part),
    TE.chain((items) => {
      const next = take(source, query, items, place, page);
      return next === null ? goOn(items.length - place.offset) : TE.right({ found: page.found, next });
    }),
  );
};

/**
 * A page of evidence in recorded order, of at most `limit` items and a few megabytes. Parts whose summaries exclude a match
 * are not read.
 */
export const evidencePage = <Item extends Evidence>(
  source: EvidenceSource<Item>,
  query: EvidenceQuery,
  place: Place | null,
): TE.TaskEither<Failure, EvidencePage<Item>> => {
  const isFiltered = query.from !== null || query.to !== null || query.subject !== null;
  return pipe(
    isFiltered
      ? source.reader.summaries(source.stream, source.chunks)
      : TE.right<Failure, ReadonlyArray<PartSummary> | null>(null),
    TE.chain((summaries) => fill(source, query, summaries, place ?? begin, { found: [], characters: 0 })),
  );
};

interface Turn extends Evidence, SpeakerTurn {}
interface SpokenUtterance extends Evidence, Utterance {}
/** A track, a talking score, a caption or a box of a face. */
export type FaceEvidence = Evidence &
  (
    | { readonly kind: 'tracks'; readonly value: Interval }
    | { readonly kind: 'talking'; readonly value: TalkingScore }
    | { readonly kind: 'captions'; readonly value: Caption }
    | { readonly kind: 'boxes'; readonly value: Box }
  );

/** The sources of evidence that clients may read. Null for a record without such evidence. */
export interface EvidenceLists {
  /** Boxes are included if they are wanted. */
  readonly tracks: (video: RegisteredVideo, withBoxes: boolean) => EvidenceSource<FaceEvidence> | null;
  readonly segments: (audio: RegisteredAudio) => EvidenceSource<Turn> | null;
  readonly transcript: (audio: RegisteredAudio) => EvidenceSource<SpokenUtterance> | null;
}

const intervalSize = 60;
const textSize = 100;
const boxSize = 120;
/** A box is of a moment, but what ends with a page's time span is not in it: it lasts a microsecond. */
const boxSeconds = 1e-6;

const spanOf = ({ start, end }: Interval): Interval => ({ start, end });

const faceEvidence =
  (withBoxes: boolean) =>
  (event: DomainEvent): ReadonlyArray<FaceEvidence> => {
    if (event.type !== 'FaceTracksRecorded') return [];
    return event.data.faces.flatMap(
      ({ face_id: subject, tracks, talking, captions, boxes = [] }): ReadonlyArray<FaceEvidence> => [
        ...tracks.map((value) => ({ kind: 'tracks' as const, value, subject, ...spanOf(value), size: intervalSize })),
        ...talking.map((value) => ({ kind: 'talking' as const, value, subject, ...spanOf(value), size: intervalSize })),
        ...captions.map((value) => ({
          kind: 'captions' as const,
          value,
          subject,
          ...spanOf(value),
          size: textSize + value.text.length,
        })),
        ...(withBoxes ? boxes : []).map((value) => ({
          kind: 'boxes' as const,
          value,
          subject,
          start: value.at,
          end: value.at + boxSeconds,
          size: boxSize,
        })),
      ],
    );
  };

const turns = (event: DomainEvent): ReadonlyArray<Turn> =>
  event.type === 'SpeakerTurnsRecorded'
    ? event.data.turns.map(({ speaker_id, start, end }) => ({
        speaker_id,
        start,
        end,
        subject: speaker_id,
        size: intervalSize,
      }))
    : [];

const utterances = (event: DomainEvent): ReadonlyArray<SpokenUtterance> =>
  event.type === 'TranscriptRecorded'
    ? // Field by field: spreading takes several times as long.
      event.data.utterances.map(({ speaker_id, start, end, text }) => ({
        speaker_id,
        start,
        end,
        text,
        subject: speaker_id,
        size: textSize + text.length,
      }))
    : [];

/** Maps recorded speakers to current ones. */
const currentSpeakers = (changes: ReadonlyArray<SpeakerChange>): ((recorded: number) => number | null) => {
  const speakerOf = speakerIn(changes);
  return (recorded) => (SpeakerId.is(recorded) ? speakerOf(recorded) : null);
};

const isFaceOf = (faces: RegisteredVideo['faces'], recorded: number): boolean =>
  FaceId.is(recorded) && faces.has(recorded);

export const evidenceLists = (log: Uses<'store' | 'onErasure'>): EvidenceLists => {
  const faceReader = partReader(log, faceEvidence(false));
  const boxReader = partReader(log, faceEvidence(true));
  const turnReader = partReader(log, turns);
  const utteranceReader = partReader(log, utterances);
  return {
    tracks: ({ video_id, tracks: chunks, faces }, withBoxes) =>
      chunks && {
        reader: withBoxes ? boxReader : faceReader,
        stream: `faceTracks-${video_id}`,
        chunks,
        currentId: (recorded) => (isFaceOf(faces, recorded) ? recorded : null),
      },
    segments: ({ audio_id, turns: chunks, changes }) =>
      chunks && {
        reader: turnReader,
        stream: `speakerTurns-${audio_id}`,
        chunks,
        currentId: currentSpeakers(changes.turns),
      },
    transcript: ({ audio_id, transcript: chunks, changes }) =>
      chunks && {
        reader: utteranceReader,
        stream: `transcript-${audio_id}`,
        chunks,
        currentId: currentSpeakers(changes.transcript),
      },
  };
};
