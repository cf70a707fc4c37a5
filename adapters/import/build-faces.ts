import {
  type FaceParts,
  type DocumentParts,
  type Tally,
  type Reading,
  type FaceBox,
  type ImportedFace,
  type ImportedFaces,
  refuse,
  type TalkingScore,
} from './format.js';
import { byTime, totalSeconds } from './intervals.js';

/** A plausibility limit: a document with more faces has mixed up its ids. */
const maxFaces = 2_000;

/** The limit of boxes, and of talking scores, in an analysis. */
const maxListed = 200_000;

const firstSeen = ({ visible }: FaceParts): number =>
  visible.reduce((earliest, { start }) => Math.min(earliest, start), Infinity);

/** The first box of each period of `seconds`. */
const thinned = (boxes: ReadonlyArray<FaceBox>, seconds: number): ReadonlyArray<FaceBox> => {
  let last = -1;
  return boxes
    .toSorted((a, b) => a.at - b.at || a.left - b.left || a.top - b.top)
    .filter(({ at }) => {
      const isNext = Math.floor(at / seconds) > last;
      if (isNext) last = Math.floor(at / seconds);
      return isNext;
    });
};

const round = (share: number): number => Math.round(share * 1e4) / 1e4;

/** The part of a box that is inside the picture; null if there is none. */
const insidePicture = ({ at, left, top, width, height }: FaceBox): FaceBox | null => {
  const [x1, y1] = [Math.max(0, left), Math.max(0, top)];
  const [x2, y2] = [Math.min(1, left + width), Math.min(1, top + height)];
  return x2 > x1 && y2 > y1
    ? { at, left: round(x1), top: round(y1), width: round(x2 - x1), height: round(y2 - y1) }
    : null;
};

/** The boxes of all faces, one a second, or fewer if they are too many for an analysis. */
const boxesOf = (parts: ReadonlyArray<FaceParts>, notes: Tally): ReadonlyArray<ReadonlyArray<FaceBox>> => {
  const inside = parts.map(({ boxes = [] }) => thinned(boxes, 1).flatMap((box) => insidePicture(box) ?? []));
  const count = inside.reduce((sum, boxes) => sum + boxes.length, 0);
  if (count <= maxListed) return inside;
  const seconds = Math.ceil(count / maxListed) + 1;
  notes.add(`boxes are kept only every ${seconds} s, because they are many`);
  return inside.map((boxes) => thinned(boxes, seconds));
};

/** The mean score of each period of `seconds`. */
const averaged = (talking: ReadonlyArray<TalkingScore>, seconds: number): ReadonlyArray<TalkingScore> => {
  const periods = new Map<number, TalkingScore[]>();
  for (const one of talking) {
    const period = Math.floor(one.start / seconds);
    periods.set(period, [...(periods.get(period) ?? []), one]);
  }
  return [...periods.values()].map((group) => ({
    start: group.reduce((earliest, { start }) => Math.min(earliest, start), Infinity),
    end: group.reduce((latest, { end }) => Math.max(latest, end), 0),
    score: Math.round((group.reduce((sum, { score }) => sum + score, 0) / group.length) * 1e4) / 1e4,
  }));
};

/** The talking scores of all faces, or the means of seconds if they are too many for an analysis. */
const talkingOf = (parts: ReadonlyArray<FaceParts>, notes: Tally): ReadonlyArray<ReadonlyArray<TalkingScore>> => {
  const all = parts.map(({ talking = [] }) => talking.toSorted(byTime));
  const count = all.reduce((sum, talking) => sum + talking.length, 0);
  if (count <= maxListed) return all;
  notes.add('talking scores, of which the mean of each second is kept, because they are many', count);
  return all.map((talking) => averaged(talking, 1));
};

/**
 * Numbers faces from 0 by first appearance, then by key. If the file numbers all faces, its numbers are kept. Intervals
 * that end before they start are left out. Null without a face that is ever visible.
 */
export const buildFaces = (document: DocumentParts, { dropped, notes }: Reading): ImportedFaces | null => {
  const { recording = null, rows } = document;
  const sound = (document.faces ?? []).map((part) => {
    const visible = part.visible.filter(({ start, end }) => end >= start);
    dropped.add('visible interval whose end lies before its start', part.visible.length - visible.length);
    return { ...part, visible };
  });
  const parts = sound.filter(({ visible }) => visible.length > 0);
  if (parts.length === 0 && document.faces?.some(({ visible }) => visible.length > 0) === true)
    refuse(null, 'no face is visible in an interval that ends after its start');
  dropped.add('face that is never visible', sound.length - parts.length);
  if (parts.length === 0) return null;
  if (parts.length > maxFaces) refuse(parts[maxFaces]?.key ?? null, `more than ${maxFaces.toLocaleString('en')} faces`);
  const ordered = parts.toSorted((a, b) => firstSeen(a) - firstSeen(b) || (a.key < b.key ? -1 : 1));
  const numbered = parts.every(({ id }) => id !== undefined);
  const boxes = boxesOf(ordered, notes);
  const talking = talkingOf(ordered, notes);
  const faces = ordered.map(({ visible, id, name = null }, index): ImportedFace => ({
    id: (numbered ? id : index) ?? index,
    name,
    tracks: visible.toSorted(byTime),
    talking: talking[index] ?? [],
    boxes: boxes[index] ?? [],
  }));
  const seconds = totalSeconds(parts.flatMap(({ visible }) => visible));
  return { faces, summary: { recording, rows, seconds, dropped: dropped.notes(), notes: notes.notes() } };
};
