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
import { type EvidenceParts, heardIn, seenIn } from './evidence.js';

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

type Optional<Parts> = { readonly [Part in keyof Parts]?: Parts[Part] | null | undefined };

/** An analysis of a video as a worker sends it. What is absent or null is not part of it. */
export interface SentVideoAnalysis extends Pick<VideoAnalysis, 'status'>, Optional<Pick<VideoAnalysis, 'align'>> {
  readonly faces: ReadonlyArray<
    Pick<FaceTracks, 'tracks'> &
      Optional<Omit<FaceTracks, 'face_id' | 'tracks'>> &
      Optional<Omit<AnalysedFace, 'face_id'>> & { readonly id: FaceId }
  >;
}

/** An analysis of an audio as a worker sends it. What is absent or null is not part of it, except that a null role is one. */
export interface SentAudioAnalysis
  extends
    Pick<AudioAnalysis, 'status'>,
    Optional<Pick<AudioAnalysis, 'align' | 'provider_supplied' | 'speech_segments'>> {
  readonly speakers: ReadonlyArray<Pick<AnalysedSpeaker, 'speaker_id'> & Optional<Omit<AnalysedSpeaker, 'speaker_id'>>>;
  readonly segments: ReadonlyArray<SpeakerTurn>;
  readonly transcript?: ReadonlyArray<Utterance> | null | undefined;
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

export const packVideoAnalysis = ({ status, faces, align }: SentVideoAnalysis, digest: Digest): VideoAnalysis => {
  const tracked = faces.map(({ id, tracks, talking, captions, boxes }) => ({
    face_id: id,
    tracks,
    talking: talking ?? [],
    captions: captions ?? [],
    boxes: boxes ?? [],
  }));
  return {
    status,
    faces: faces.map(({ id, name, personality_traits }) => ({
      face_id: id,
      name: name ?? null,
      personality_traits: personality_traits ?? undefined,
    })),
    tracks: faces.length === 0 ? null : packParts(tracked.flatMap(facePieces), digest),
    seen: seenIn(
      faces.map(({ id }) => id),
      tracked,
    ),
    align: align ?? true,
  };
};

const turn = ({ speaker_id, start, end }: SpeakerTurn): SpeakerTurn => ({ speaker_id, start, end });
const utterance = ({ speaker_id, start, end, text }: Utterance): Utterance => ({ speaker_id, start, end, text });

const speakersIn = (items: ReadonlyArray<{ readonly speaker_id: SpeakerId }>): ReadonlyArray<SpeakerId> => [
  ...new Set(items.map(({ speaker_id }) => speaker_id)),
];

export const packAudioAnalysis = (
  { status, speakers, segments, transcript, ...others }: SentAudioAnalysis,
  digest: Digest,
): AudioAnalysis => {
  const packed = <Item>(items: ReadonlyArray<Item>, stored: (item: Item) => Item): EvidenceParts | null =>
    items.length === 0 ? null : packParts(items.map(stored), digest);
  const utterances = transcript ?? [];
  return {
    status,
    speakers: speakers.map(({ speaker_id, name, role, synthetic }) => ({
      speaker_id,
      name: name ?? null,
      role,
      synthetic: synthetic ?? false,
    })),
    heard: heardIn(
      speakers.map(({ speaker_id }) => speaker_id),
      segments,
    ),
    align: others.align ?? true,
    provider_supplied: others.provider_supplied ?? false,
    speech_segments: others.speech_segments ?? null,
    turns: packed(segments, turn),
    transcript: packed(utterances, utterance),
    keeps_transcript: (transcript ?? null) === null,
    mentioned: speakersIn([...segments, ...utterances]),
  };
};

export const packTranscript = (transcript: ReadonlyArray<Utterance>, digest: Digest): ReplacingTranscript => ({
  transcript: packParts(transcript.map(utterance), digest),
  utterances: transcript.length,
  mentioned: speakersIn(transcript),
});
