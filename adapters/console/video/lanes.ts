import type { AudioRecord, FaceEvidence, Interval, Segment, VideoRecord } from '../../client/index.js';
import type { Viewport } from './viewport.js';

/** The intervals of one lane by start time; `score`: 0 to 1, if they have scores. */
type Spans = ReadonlyArray<Interval & { readonly score?: number }>;

const spansOf = (intervals: Spans): Spans => intervals.toSorted((a, b) => a.start - b.start);

/** The interval that contains a time. */
export const spanAt = (spans: Spans, time: number): Interval | undefined =>
  spans.find(({ start, end }) => start <= time && end > time);

/**
 * Calls `draw` for the visible parts of a lane, in pixels. Intervals less than a pixel apart are joined, with the larger
 * of their scores, so that drawing never takes more calls than the lane has pixels.
 */
export const eachVisible = (
  spans: Spans,
  { start, end }: Viewport,
  width: number,
  draw: (x: number, width: number, score: number) => void,
): void => {
  const scale = width / (end - start);
  let [from, to, score] = [0, -1, 0];
  const flush = (): void => {
    if (to >= from) draw(from, Math.max(to - from, 0.75), score);
  };
  for (const span of spans) {
    if (span.start >= end) break;
    if (span.end <= start) continue;
    const left = Math.max(0, (span.start - start) * scale);
    const right = Math.min(width, (span.end - start) * scale);
    const own = span.score ?? 1;
    const isNear = left - to < 0.75 && (own === score || left - from < 1.5);
    if (to >= from && isNear) {
      to = Math.max(to, right);
      score = Math.max(score, own);
    } else {
      flush();
      [from, to, score] = [left, right, own];
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
  for (const { face_id, tracks, talking, captions } of pieces) {
    const before = faces.get(face_id) ?? { tracks: [], talking: [], captions: [] };
    faces.set(face_id, {
      face_id,
      tracks: [...before.tracks, ...tracks],
      talking: [...before.talking, ...talking],
      captions: [...before.captions, ...captions],
    });
  }
  const turns = new Map<number, Segment[]>();
  for (const segment of segments) {
    const own = turns.get(segment.speaker_id) ?? [];
    own.push(segment);
    turns.set(segment.speaker_id, own);
  }
  let [first, duration] = [Infinity, 1];
  for (const { start, end } of [...pieces.flatMap(({ tracks }) => tracks), ...segments]) {
    first = Math.min(first, start);
    duration = Math.max(duration, end);
  }
  return { faces, turns, start: first < duration / 10 || first === Infinity ? 0 : first, duration };
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
