import { chunksOf } from 'fp-ts/lib/ReadonlyArray.js';
import * as t from 'io-ts';
import { AnalysedSpeaker } from '../../domain/audio/contract.js';
import type { SpeakerTurn, Utterance } from '../../domain/audio/events.js';
import { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import { instanceCodec } from '../../domain/kernel/instance-codec.js';
import { ProcessingStatus } from '../../domain/kernel/media.js';
import { Finite, nullable } from '../../domain/kernel/recorded-event.js';
import { AnalysedFace } from '../../domain/video/contract.js';
import type { FaceTracks } from '../../domain/video/events.js';
import { heardIn, seenIn } from './match-evidence.js';
import type { EvidenceParts } from './parts.js';

/* What is packed in one thread is recognised in another. */

const Parts: t.Type<EvidenceParts, unknown> = t.type({ parts: t.readonlyArray(t.string), digest: t.string });

const Times = instanceCodec<Float64Array>('Times', Float64Array);
const presences = <Id extends t.Mixed>(id: Id) =>
  t.readonlyArray(t.type({ id, present: t.type({ starts: Times, ends: Times }) }));

export const VideoAnalysis = t.type({
  status: ProcessingStatus,
  faces: t.readonlyArray(AnalysedFace),
  /** When the faces are to be seen: items are `FaceTracks`. Null where there are no faces. */
  tracks: nullable(Parts),
  /** When each face is seen. */
  seen: presences(FaceId),
  /** Whether to find out by their seconds which faces continue which earlier ones. */
  align: t.boolean,
});
export type VideoAnalysis = t.TypeOf<typeof VideoAnalysis>;

export const AudioAnalysis = t.type({
  status: ProcessingStatus,
  speakers: t.readonlyArray(AnalysedSpeaker),
  /** The speakers in turns and transcript. */
  mentioned: t.readonlyArray(SpeakerId),
  /** Items are `SpeakerTurn`; null if the analysis has none. */
  turns: nullable(Parts),
  /** Items are `Utterance`; null if the analysis has none. */
  transcript: nullable(Parts),
  /** The transcript is not part of the analysis, so the present one stays. */
  keeps_transcript: t.boolean,
  /** When each speaker is heard. */
  heard: presences(SpeakerId),
  /** Whether to find out by their seconds which speakers continue which earlier ones. */
  align: t.boolean,
  provider_supplied: t.boolean,
  speech_segments: nullable(t.string),
});
export type AudioAnalysis = t.TypeOf<typeof AudioAnalysis>;

/** The new transcript. */
export const ReplacingTranscript = t.type({
  /** Items are `Utterance`. */
  transcript: Parts,
  utterances: Finite,
  /** The speakers in it. */
  mentioned: t.readonlyArray(SpeakerId),
});
export type ReplacingTranscript = t.TypeOf<typeof ReplacingTranscript>;

/** An analysis of a video, with tracks as sent. */
export interface FullVideoAnalysis extends Omit<VideoAnalysis, 'faces' | 'tracks' | 'seen' | 'align'> {
  /** True if absent. */
  readonly align?: boolean;
  readonly faces: ReadonlyArray<VideoAnalysis['faces'][number] & FaceTracks>;
}

/** An analysis of an audio, with turns and transcript as sent. */
export interface FullAudioAnalysis extends Omit<
  AudioAnalysis,
  'mentioned' | 'turns' | 'transcript' | 'keeps_transcript' | 'heard' | 'align'
> {
  /** True if absent. */
  readonly align?: boolean;
  readonly turns: ReadonlyArray<SpeakerTurn>;
  /** Null: not part of this analysis. */
  readonly transcript: ReadonlyArray<Utterance> | null;
}

type Digest = (text: string) => string;

/** The approximate size of a part in characters of JSON, well below the event size limit of any store. */
const partSize = 200_000;

/** Splits items into parts of about equal size in JSON, in order; at least one part, which may be empty. */
const packParts = (items: ReadonlyArray<unknown>, digest: Digest): EvidenceParts => {
  const parts: string[][] = [[]];
  let weight = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    if (weight > 0 && weight + text.length > partSize) {
      parts.push([]);
      weight = 0;
    }
    parts.at(-1)?.push(text);
    weight += text.length;
  }
  const texts = parts.map((part) => `[${part.join(',')}]`);
  return { parts: texts, digest: digest(texts.map(digest).join(' ')) };
};

const maxItems = 1_000;

/** Splits a face's tracks into pieces that each fit a part. Only the known fields are stored. */
const facePieces = ({ face_id, tracks, talking, captions, boxes = [] }: FaceTracks): ReadonlyArray<FaceTracks> => {
  const none: FaceTracks = { face_id, tracks: [], talking: [], captions: [] };
  const pieces = <Item>(items: ReadonlyArray<Item>, of: (piece: ReadonlyArray<Item>) => Partial<FaceTracks>) =>
    chunksOf(maxItems)(items).map((piece): FaceTracks => ({ ...none, ...of(piece) }));
  return [
    ...pieces(tracks, (piece) => ({ tracks: piece.map(({ start, end }) => ({ start, end })) })),
    ...pieces(talking, (piece) => ({ talking: piece.map(({ start, end, score }) => ({ start, end, score })) })),
    ...pieces(captions, (piece) => ({ captions: piece.map(({ start, end, text }) => ({ start, end, text })) })),
    ...pieces(boxes, (piece) => ({
      boxes: piece.map(({ at, left, top, width, height }) => ({ at, left, top, width, height })),
    })),
  ];
};

export const packVideoAnalysis = (
  { status, faces, align = true }: FullVideoAnalysis,
  digest: Digest,
): VideoAnalysis => ({
  status,
  faces: faces.map(({ face_id, name, personality_traits }) => ({ face_id, name, personality_traits })),
  tracks: faces.length === 0 ? null : packParts(faces.flatMap(facePieces), digest),
  seen: seenIn(
    faces.map(({ face_id }) => face_id),
    faces,
  ),
  align,
});

const turn = ({ speaker_id, start, end }: SpeakerTurn): SpeakerTurn => ({ speaker_id, start, end });
const utterance = ({ speaker_id, start, end, text }: Utterance): Utterance => ({ speaker_id, start, end, text });

const speakersIn = (items: ReadonlyArray<{ readonly speaker_id: SpeakerId }>): ReadonlyArray<SpeakerId> => [
  ...new Set(items.map(({ speaker_id }) => speaker_id)),
];

export const packAudioAnalysis = (
  { turns, transcript, align = true, ...analysis }: FullAudioAnalysis,
  digest: Digest,
): AudioAnalysis => {
  const packed = <Item>(items: ReadonlyArray<Item>, stored: (item: Item) => Item): EvidenceParts | null =>
    items.length === 0 ? null : packParts(items.map(stored), digest);
  return {
    ...analysis,
    heard: heardIn(
      analysis.speakers.map(({ speaker_id }) => speaker_id),
      turns,
    ),
    align,
    turns: packed(turns, turn),
    transcript: packed(transcript ?? [], utterance),
    keeps_transcript: transcript === null,
    mentioned: speakersIn([...turns, ...(transcript ?? [])]),
  };
};

export const packTranscript = (transcript: ReadonlyArray<Utterance>, digest: Digest): ReplacingTranscript => ({
  transcript: packParts(transcript.map(utterance), digest),
  utterances: transcript.length,
  mentioned: speakersIn(transcript),
});
