import type { AudioRecord, FaceEvidence, Segment, VideoRecord } from '../../client/index.js';
import { type Spans, spansOf } from './spans.js';

/** One row of the timeline. A face and its speaker have one colour. */
export interface Lane {
  readonly key: string;
  readonly kind: 'face' | 'speaker';
  readonly id: number;
  readonly name: string;
  readonly hue: number | null;
  readonly spans: Spans;
  /** Talking scores of a face over time; null if there are none. */
  readonly talking: Spans | null;
  /** Texts on the screen near a face. */
  readonly captions: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>;
}

/** The evidence of a recording, by face and by speaker. */
export interface Evidence {
  readonly faces: ReadonlyMap<number, FaceEvidence>;
  readonly turns: ReadonlyMap<number, ReadonlyArray<Segment>>;
  /** When the first item begins, in seconds; 0 if that is early. A clip that was cut from a film may begin late. */
  readonly start: number;
  /** When the last item ends, in seconds. */
  readonly duration: number;
}

/** The golden angle in degrees: consecutive speakers get clearly different colours. */
const goldenAngle = 137.508;
const hueOf = (speaker_id: number): number => (speaker_id * goldenAngle) % 360;

/** Groups evidence by face and speaker. The evidence of one face may come in several pieces, because pages split it. */
export const groupEvidence = (pieces: ReadonlyArray<FaceEvidence>, segments: ReadonlyArray<Segment>): Evidence => {
  const faces = new Map<number, FaceEvidence>();
  for (const piece of pieces) {
    const before = faces.get(piece.face_id);
    faces.set(
      piece.face_id,
      before === undefined
        ? piece
        : {
            face_id: piece.face_id,
            tracks: [...before.tracks, ...piece.tracks],
            talking: [...before.talking, ...piece.talking],
            captions: [...before.captions, ...piece.captions],
          },
    );
  }
  const turns = new Map<number, Segment[]>();
  for (const segment of segments) {
    const own = turns.get(segment.speaker_id);
    if (own === undefined) turns.set(segment.speaker_id, [segment]);
    else own.push(segment);
  }
  let duration = 1;
  for (const { tracks } of faces.values()) for (const { end } of tracks) duration = Math.max(duration, end);
  for (const { end } of segments) duration = Math.max(duration, end);
  let first = duration;
  for (const { tracks } of faces.values()) for (const { start } of tracks) first = Math.min(first, start);
  for (const { start } of segments) first = Math.min(first, start);
  return { faces, turns, start: first < duration / 10 ? 0 : first, duration };
};

export const faceName = (id: number, name: string | null): string => name ?? `Face ${id}`;
export const speakerName = (id: number, name: string | null | undefined): string => name ?? `Speaker ${id}`;

/** The lanes of the timeline: faces with a speaker, other faces, then speakers. */
export const lanesOf = (
  allFaces: VideoRecord['faces'],
  speakers: AudioRecord['speakers'],
  { faces, turns }: Evidence,
): ReadonlyArray<Lane> => {
  const matched = allFaces.toSorted((a, b) => Number(a.speaker_id === null) - Number(b.speaker_id === null));
  return [
    ...matched.map(({ id, name, speaker_id }): Lane => {
      const own = faces.get(id);
      return {
        key: `face-${id}`,
        kind: 'face',
        id,
        name: faceName(id, name),
        hue: speaker_id === null ? null : hueOf(speaker_id),
        spans: spansOf(own?.tracks ?? []),
        talking: own === undefined || own.talking.length === 0 ? null : spansOf(own.talking),
        captions: own?.captions ?? [],
      };
    }),
    ...speakers.map(({ speaker_id, name }): Lane => ({
      key: `speaker-${speaker_id}`,
      kind: 'speaker',
      id: speaker_id,
      name: speakerName(speaker_id, name),
      hue: hueOf(speaker_id),
      spans: spansOf(turns.get(speaker_id) ?? []),
      talking: null,
      captions: [],
    })),
  ];
};
