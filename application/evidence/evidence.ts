import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Utterance } from '../../domain/audio/events.js';
import type { RegisteredAudio, SpeakerChange } from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { AudioId, FaceId, SpeakerId, VideoId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Chunks } from '../../domain/kernel/media.js';
import type { Json } from '../../domain/kernel/recorded-event.js';
import { followIds } from '../../domain/kernel/renumbering.js';
import type { Presence } from '../../domain/matching/continuations.js';
import { merged } from '../../domain/matching/intervals.js';
import type { FaceTrack, MatchInput, SpeakerTurns } from '../../domain/matching/match-speakers-to-faces.js';
import { decidedLinks } from '../../domain/video/decisions/decide-links.js';
import type { FaceTracks } from '../../domain/video/events.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import { type RequestContext, commandContext, toNewEvent } from '../commands/context.js';
import { type AnyEvent, readEvent } from '../commands/read-event.js';
import { type Contention, type Failure, withheld } from '../failures.js';
import type { EventStore, ExpectedRevision } from '../ports/event-store.js';
import { keyedQueue } from '../queue-and-backoff.js';

/** Bulky evidence as it is written: a part for each event. */
export interface EvidenceParts {
  /** At least one. Each is the JSON of a list of items. */
  readonly parts: ReadonlyArray<string>;
  /** A digest of all parts: equal items have equal digests. */
  readonly digest: string;
}

const attempts = 20;

/** Serialises writers of one stream, which would otherwise conflict at each part. */
const queue = keyedQueue();

/** The revision of the last known part; `no_stream` if there is none. */
const endOf = (last: Chunks | null): ExpectedRevision =>
  last === null ? 'no_stream' : last.first_revision + last.parts - 1;

const next = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

const parse: (text: string) => Json = JSON.parse;

/** The index of a part among the parts of its analysis. */
interface PartNumber {
  readonly part: number;
  readonly parts: number;
}

/**
 * Appends bulky evidence, if any, to its own stream, one append per part; a part is parsed only just before. Parts of an interrupted
 * earlier write remain in the stream; nothing refers to them.
 */
export const writeParts = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  stream: string,
  last: Chunks | null,
  evidence: EvidenceParts | null,
  eventOf: (items: Json, part: PartNumber) => AnyEvent,
): TE.TaskEither<Failure, Chunks | null> => {
  if (evidence === null) return TE.right(null);
  const { parts } = evidence;
  const from = (start: ExpectedRevision, left: number): TE.TaskEither<Failure, Chunks> => {
    const write = (index: number, expected: ExpectedRevision): TE.TaskEither<Failure, Chunks> => {
      const part = parts[index];
      if (part === undefined) return TE.right({ first_revision: next(start), parts: parts.length });
      const event = eventOf(parse(part), { part: index, parts: parts.length });
      return pipe(
        app.store.append(stream, expected, [toNewEvent(event, commandContext(app.ids, request), 0, stream)]),
        TE.matchE(
          (failure): TE.TaskEither<Failure, Chunks> => {
            if (failure._tag !== 'RevisionConflict') return TE.left(failure);
            return left > 0 ? from(failure.actual, left - 1) : TE.left<Contention>({ _tag: 'Contention', stream });
          },
          ({ revision, position }) => {
            request.onWrite(position);
            return write(index + 1, revision);
          },
        ),
      );
    };
    return write(0, start);
  };
  return queue.run(stream, from(endOf(last), attempts));
};

/** Appends a transcript to the audio's `transcript` stream. `last`: the last known transcript in it. */
export const writeTranscript = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  transcript_id: string,
  last: Chunks | null,
  transcript: EvidenceParts | null,
): TE.TaskEither<Failure, Chunks | null> =>
  writeParts(app, request, `transcript-${audio_id}`, last, transcript, (utterances, place) => ({
    type: 'TranscriptRecorded',
    data: { audio_id, transcript_id, ...place, utterances },
  }));

/** Reads one part of evidence: the event with this revision. */
export const readPart = (
  store: EventStore,
  stream: string,
  revision: number,
): TE.TaskEither<Failure, ReadonlyArray<DomainEvent>> =>
  pipe(
    store.read(stream, revision - 1, 1),
    TE.chainEitherKW(E.traverseArray(readEvent)),
    TE.chainW(
      TE.traverseArray(({ event }) =>
        event.type === 'Withheld' ? TE.left(withheld(stream, event.data)) : TE.right(event),
      ),
    ),
  );

/** The items in all parts of an analysis, in order; none if there are no chunks. */
const itemsOf = <Item>(
  { store }: Uses<'store'>,
  stream: string,
  chunks: Chunks | null,
  itemsIn: (part: DomainEvent) => ReadonlyArray<Item>,
): TE.TaskEither<Failure, ReadonlyArray<Item>> =>
  pipe(
    Array.from({ length: chunks?.parts ?? 0 }, (_, part) => (chunks?.first_revision ?? 0) + part),
    TE.traverseSeqArray((revision) => readPart(store, stream, revision)),
    TE.map((parts) => parts.flat().flatMap(itemsIn)),
  );

/** The speaker after a change: the same, the one it was merged into or got the number of, or null. */
const after = (change: SpeakerChange): ((speaker_id: SpeakerId) => SpeakerId | null) =>
  change.kind === 'renumbered'
    ? followIds([change])
    : (speaker_id) => (speaker_id === change.speaker_id ? change.merged_into : speaker_id);

/**
 * Finds the current speaker for a recorded one: null after a deletion, or if no later analysis continues it. Results are
 * remembered: evidence has hundreds of thousands of turns of a few speakers.
 */
export const speakerIn = (changes: ReadonlyArray<SpeakerChange>): ((recorded: SpeakerId) => SpeakerId | null) => {
  const steps = changes.map(after);
  const known = new Map<SpeakerId, SpeakerId | null>();
  return (recorded) => {
    const before = known.get(recorded);
    if (before !== undefined) return before;
    const current = steps.reduce<SpeakerId | null>(
      (speaker_id, step) => (speaker_id === null ? null : step(speaker_id)),
      recorded,
    );
    known.set(recorded, current);
    return current;
  };
};

/** The items of speakers that there still are, with their current ids. */
const ofCurrentSpeakers = <Item extends { readonly speaker_id: SpeakerId }>(
  items: ReadonlyArray<Item>,
  changes: ReadonlyArray<SpeakerChange>,
) => {
  const speakerOf = speakerIn(changes);
  return items.flatMap((item) => {
    const speaker_id = speakerOf(item.speaker_id);
    return speaker_id === null ? [] : [{ ...item, speaker_id }];
  });
};

/** The face tracks of an analysis of a video. A face may have several. */
export const faceTracksOf = (
  app: Uses<'store'>,
  video_id: VideoId,
  tracks: Chunks | null,
): TE.TaskEither<Failure, ReadonlyArray<FaceTracks>> =>
  itemsOf(app, `faceTracks-${video_id}`, tracks, (part) => (part.type === 'FaceTracksRecorded' ? part.data.faces : []));

/** The speaker turns of an analysis of an audio, by the speakers after some changes. */
export const turnsOf = (
  app: Uses<'store'>,
  audio_id: AudioId,
  chunks: Chunks | null,
  changes: ReadonlyArray<SpeakerChange>,
) =>
  pipe(
    itemsOf(app, `speakerTurns-${audio_id}`, chunks, (part) =>
      part.type === 'SpeakerTurnsRecorded' ? part.data.turns : [],
    ),
    TE.map((turns) => ofCurrentSpeakers(turns, changes)),
  );

/** The transcript of an audio with its current speakers, in order. */
export const transcriptOf = (
  app: Uses<'store'>,
  { audio_id, transcript, changes }: RegisteredAudio,
): TE.TaskEither<Failure, ReadonlyArray<Utterance>> =>
  pipe(
    itemsOf(app, `transcript-${audio_id}`, transcript, (part) =>
      part.type === 'TranscriptRecorded' ? part.data.utterances : [],
    ),
    TE.map((utterances) => ofCurrentSpeakers(utterances, changes.transcript)),
  );

/** The items of each id, in order. Ids without items are included; items of others are left out. */
const itemsBy = <Id, Item>(ids: Iterable<Id>, items: ReadonlyArray<Item>, idOf: (item: Item) => Id) => {
  const all = new Map<Id, Item[]>([...ids].map((id) => [id, []]));
  for (const item of items) all.get(idOf(item))?.push(item);
  return all;
};

const seenFaces = (
  app: Uses<'store'>,
  { video_id, tracks, faces }: RegisteredVideo,
): TE.TaskEither<Failure, ReadonlyArray<FaceTrack>> =>
  pipe(
    faceTracksOf(app, video_id, tracks),
    TE.map((recorded) => {
      const byFace = itemsBy(faces.keys(), recorded, ({ face_id }) => face_id);
      return [...faces.values()].map(({ face_id, name }) => {
        const pieces = byFace.get(face_id) ?? [];
        return {
          face_id,
          name,
          tracks: pieces.flatMap((piece) => piece.tracks),
          talking: pieces.flatMap((piece) => piece.talking),
          captions: pieces.flatMap((piece) => piece.captions),
        };
      });
    }),
  );

const heardSpeakers = (
  app: Uses<'store'>,
  { audio_id, turns, speakers, changes }: RegisteredAudio,
  targets: ReadonlySet<SpeakerId>,
): TE.TaskEither<Failure, ReadonlyArray<SpeakerTurns>> =>
  pipe(
    turnsOf(app, audio_id, turns, changes.turns),
    TE.map((recorded) => {
      const bySpeaker = itemsBy(speakers.keys(), recorded, ({ speaker_id }) => speaker_id);
      return [...speakers.values()]
        .filter(({ speaker_id, synthetic }) => !synthetic || targets.has(speaker_id))
        .map(({ speaker_id, name }) => ({ speaker_id, name, turns: bySpeaker.get(speaker_id) ?? [] }));
    }),
  );

/** The input of a match: face tracks and speaker turns. */
export const matchEvidence = (
  app: Uses<'store'>,
  video: RegisteredVideo,
  audio: RegisteredAudio,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
): TE.TaskEither<Failure, MatchInput> =>
  pipe(
    TE.Do,
    TE.bind('faces', () => seenFaces(app, video)),
    TE.bind('speakers', () => heardSpeakers(app, audio, new Set(target_speaker_ids))),
    TE.map((found) => ({ ...found, target_speaker_ids, decided: decidedLinks(video.faces, video.ruled_out) })),
  );

/** When each of these speakers is heard. */
export const heardIn = (
  speakers: Iterable<SpeakerId>,
  turns: ReadonlyArray<Interval & { readonly speaker_id: SpeakerId }>,
): ReadonlyArray<Presence<SpeakerId>> =>
  [...itemsBy(speakers, turns, ({ speaker_id }) => speaker_id)].map(([id, own]) => ({ id, present: merged(own) }));

/** When each of these faces is seen. */
export const seenIn = (
  faces: Iterable<FaceId>,
  tracks: ReadonlyArray<Pick<FaceTracks, 'face_id' | 'tracks'>>,
): ReadonlyArray<Presence<FaceId>> =>
  [...itemsBy(faces, tracks, ({ face_id }) => face_id)].map(([id, pieces]) => ({
    id,
    present: merged(pieces.flatMap((piece) => piece.tracks)),
  }));

/** When each speaker of an audio is heard, by its last completed analysis. */
export const heardBefore = (
  app: Uses<'store'>,
  { audio_id, speakers, completed }: RegisteredAudio,
): TE.TaskEither<Failure, ReadonlyArray<Presence<SpeakerId>>> =>
  pipe(
    turnsOf(app, audio_id, completed?.turns ?? null, completed?.changes ?? []),
    TE.map((turns) => heardIn(speakers.keys(), turns)),
  );

/** When each face of a video is seen, by its last completed analysis. */
export const seenBefore = (
  app: Uses<'store'>,
  { video_id, faces, completed }: RegisteredVideo,
): TE.TaskEither<Failure, ReadonlyArray<Presence<FaceId>>> =>
  pipe(
    faceTracksOf(app, video_id, completed?.tracks ?? null),
    TE.map((tracks) => seenIn(faces.keys(), tracks)),
  );
