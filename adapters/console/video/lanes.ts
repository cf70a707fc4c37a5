import type { AudioRecord, FaceEvidence, Interval, Segment, VideoRecord } from '../../client/index.js';
import type { Viewport } from './viewport.js';

/** The intervals of one lane by start time, in typed arrays because there may be hundreds of thousands. */
interface Spans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** The score of each interval, 0 to 1; all 1 if there are no scores. */
  readonly weights: Float64Array;
  /** The length of the longest interval: a visible interval cannot have begun earlier than this before the view. */
  readonly longest: number;
}

const spansOf = (intervals: ReadonlyArray<Interval & { readonly score?: number }>): Spans => {
  const sorted = [...intervals].sort((a, b) => a.start - b.start);
  return {
    starts: Float64Array.from(sorted, ({ start }) => start),
    ends: Float64Array.from(sorted, ({ end }) => end),
    weights: Float64Array.from(sorted, ({ score }) => score ?? 1),
    longest: sorted.reduce((most, { start, end }) => Math.max(most, end - start), 0),
  };
};

/** The index of the first value that is not below `time` (binary search). */
const firstFrom = (values: Float64Array, time: number): number => {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The interval that contains a time; null if there is none. */
export const spanAt = (
  { starts, ends, longest }: Spans,
  time: number,
): { readonly start: number; readonly end: number } | null => {
  for (let at = firstFrom(starts, time - longest); at < starts.length; at += 1) {
    const [start = 0, end = 0] = [starts[at], ends[at]];
    if (start > time) return null;
    if (end > time) return { start, end };
  }
  return null;
};

/**
 * Calls `draw` for the visible parts of a lane, in pixels. Intervals less than a pixel apart are joined, with the larger
 * of their weights, so that drawing never takes more calls than the lane has pixels.
 */
export const eachVisible = (
  { starts, ends, weights, longest }: Spans,
  { start, end }: Viewport,
  width: number,
  draw: (x: number, width: number, weight: number) => void,
): void => {
  const scale = width / (end - start);
  let [from, to, weight] = [0, -1, 0];
  const flush = (): void => {
    if (to >= from) draw(from, Math.max(to - from, 0.75), weight);
  };
  for (let at = firstFrom(starts, start - longest); at < starts.length; at += 1) {
    const begin = starts[at] ?? 0;
    if (begin >= end) break;
    const stop = ends[at] ?? 0;
    if (stop <= start) continue;
    const left = Math.max(0, (begin - start) * scale);
    const right = Math.min(width, (stop - start) * scale);
    const own = weights[at] ?? 1;
    const isNear = left - to < 0.75 && (own === weight || left - from < 1.5);
    if (to >= from && isNear) {
      to = Math.max(to, right);
      weight = Math.max(weight, own);
    } else {
      flush();
      [from, to, weight] = [left, right, own];
    }
  }
  flush();
};

const maxSightings = 3;

/** The longest times at which a face is visible, those while the speaker talks first, in the order of time. */
export const sightingsOf = (
  tracks: ReadonlyArray<Interval>,
  turns: ReadonlyArray<Interval> = [],
): ReadonlyArray<Interval> => {
  const together = tracks.flatMap((track) =>
    turns
      .map(({ start, end }) => ({ start: Math.max(start, track.start), end: Math.min(end, track.end) }))
      .filter(({ start, end }) => end > start),
  );
  return (together.length > 0 ? together : tracks)
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))
    .slice(0, maxSightings)
    .toSorted((a, b) => a.start - b.start);
};

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
