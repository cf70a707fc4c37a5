import * as t from 'io-ts';
import {
  type FaceBox,
  type FaceParts,
  type Interval,
  type LineFormat,
  type ReadingOptions,
  type XmlElement,
  type XmlFormat,
  refuse,
} from '../format.js';
import { Sightings, talkingScores } from '../intervals.js';
import { has, jsonFormat, object } from '../json-format.js';
import { areMost, isNumeric, rowsOf } from '../rows.js';
import { Seconds, decimalIn, numberAt, toMicrosecond } from '../times.js';
import { elementsIn, textIn } from '../xml.js';

/** Frames a second; a document that counts frames cannot be read without it. */
const frameRateOf = ({ fps }: ReadingOptions): number =>
  fps ??
  refuse(null, 'the format counts frames: say how many a second with fps (--fps on the command line, fps in a query)');

/** The label of a face, alone or among other words. */
const isFace = /(?:^|[^a-z])(?:faces?|heads?|persons?|people)(?:$|[^a-z])/i;

const numberOf = ({ name, attributes }: XmlElement, attribute: string, place: string): number =>
  numberAt(`${place}.${name}`, attribute, attributes[attribute]);

/** The number in the first element with this name; undefined if there is none. */
const numberIn = (root: XmlElement, name: string): number | undefined =>
  decimalIn(elementsIn(root, name).map(textIn)[0]?.trim() ?? '') ?? undefined;

interface Picture {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const boxOf = (shape: XmlElement, at: number, { width, height }: Picture, place: string): ReadonlyArray<FaceBox> => {
  if (shape.name !== 'box' || !width || !height) return [];
  const [left, top] = [numberOf(shape, 'xtl', place), numberOf(shape, 'ytl', place)];
  const [right, bottom] = [numberOf(shape, 'xbr', place), numberOf(shape, 'ybr', place)];
  return [
    { at, left: left / width, top: top / height, width: (right - left) / width, height: (bottom - top) / height },
  ];
};

/** A track: its shapes hold until the next one, the last one until the last frame of the task. */
const faceOf = (track: XmlElement, fps: number, lastFrame: number | undefined, picture: Picture): FaceParts => {
  const { id = '' } = track.attributes;
  const place = `track ${id}`;
  const shapes = track.children
    .flatMap((shape) => (typeof shape === 'string' || shape.attributes['frame'] === undefined ? [] : [shape]))
    .map((shape) => ({ shape, frame: numberOf(shape, 'frame', place) }))
    .sort((a, b) => a.frame - b.frame);
  const visible: Interval[] = [];
  const boxes: FaceBox[] = [];
  for (const [index, { shape, frame }] of shapes.entries()) {
    if (shape.attributes['outside'] === '1') continue;
    if (!Number.isInteger(frame) || frame < 0) refuse(place, `frame ${frame} is not an integer of 0 or more`);
    const next = shapes[index + 1]?.frame ?? Math.max(frame, lastFrame ?? frame) + 1;
    const [start, end] = [toMicrosecond(frame / fps), toMicrosecond(next / fps)];
    const last = visible.at(-1);
    if (last?.end === start) visible[visible.length - 1] = { start: last.start, end };
    else visible.push({ start, end });
    boxes.push(...boxOf(shape, start, picture, place));
  }
  return { key: id.padStart(9, '0'), ...(/^\d{1,9}$/.test(id) ? { id: Number(id) } : {}), visible, boxes };
};

/**
 * CVAT's "XML annotation format" 1.1, the tracks of a video: frames count from 0, a box holds until the next one of its
 * track, `outside` ends it (docs.cvat.ai).
 */
export const cvat: XmlFormat = {
  name: 'cvat',
  reads: 'xml',
  recognises: (root) =>
    root.name === 'annotations' && ['meta', 'track', 'image'].some((name) => elementsIn(root, name).length > 0),
  read: (root, reading) => {
    const { dropped } = reading;
    const fps = frameRateOf(reading);
    const tracks = elementsIn(root, 'track');
    if (new Set(tracks.map(({ attributes }) => attributes['task_id'])).size > 1)
      refuse(null, 'the document has the tracks of several tasks; export one task');
    const faces = tracks.filter(({ attributes }) => isFace.test(attributes['label'] ?? ''));
    const ids = new Set<string>();
    for (const { attributes } of faces) {
      const { id = '' } = attributes;
      if (ids.has(id)) refuse(`track ${id}`, `duplicate id ${JSON.stringify(id)}`);
      ids.add(id);
    }
    dropped.add('track of something else than a face, head or person', tracks.length - faces.length);
    dropped.add('image: only tracks are read', elementsIn(root, 'image').length);
    const size = numberIn(root, 'size');
    const lastFrame = numberIn(root, 'stop_frame') ?? (size === undefined ? undefined : size - 1);
    const picture = { width: numberIn(root, 'width'), height: numberIn(root, 'height') };
    const pixels = picture.width && picture.height ? [] : faces.flatMap((track) => elementsIn(track, 'box'));
    dropped.add('box in pixels: the size of the picture is not told', pixels.length);
    return {
      recording: elementsIn(root, 'source').map(textIn)[0],
      rows: tracks.length,
      faces: faces.map((track) => faceOf(track, fps, lastFrame, picture)),
    };
  },
};

const isRow = (columns: ReadonlyArray<string>): boolean =>
  columns.length >= 7 &&
  columns.length <= 10 &&
  columns.every(isNumeric) &&
  /^[1-9]\d*(?:\.0*)?$/.test(columns[0] ?? '') &&
  /^-?\d+(?:\.0*)?$/.test(columns[1] ?? '');

/**
 * MOTChallenge's text files: `frame,id,left,top,width,height,confidence,x,y,z`, a row for each box; frames count from 1
 * (motchallenge.net, arXiv 1906.04567). Boxes are in pixels of a picture whose size the file does not tell.
 */
export const mot: LineFormat = {
  name: 'mot',
  reads: 'lines',
  // There is no header: a table with one is another.
  recognises: (start) =>
    isRow([...rowsOf(start.split('\n', 50), ',')][0]?.columns ?? []) && areMost(rowsOf(start.split('\n'), ','), isRow),
  read: (lines, reading) => {
    const { dropped } = reading;
    const fps = frameRateOf(reading);
    const faces = new Map<number, Sightings>();
    let rows = 0;
    for (const { line, columns } of rowsOf(lines, ',')) {
      const [frame, id] = [numberAt(line, 'frame', columns[0]), numberAt(line, 'id', columns[1])];
      rows += 1;
      if (!Number.isInteger(frame) || frame < 1) refuse(line, `frame ${frame} is not an integer above 0`);
      if (Number(columns[6]) === 0) dropped.add('row that is to be ignored: its seventh column is 0');
      else if (!Number.isInteger(id) || id < 0) dropped.add('row without an identity');
      else {
        const seen = faces.get(id) ?? new Sightings(1 / fps);
        faces.set(id, seen);
        seen.add((frame - 1) / fps);
        dropped.add('box in pixels: the size of the picture is not told');
      }
    }
    return {
      rows,
      faces: [...faces].map(([id, seen]) => ({ key: String(id), id, visible: seen.intervals(0, 1 / fps) })),
    };
  },
};

/** ASW has five frames a second: a row covers the 0.2 s around its time. */
const stepSeconds = 0.2;

const Talking = t.refinement(t.number, (value) => value === 0 || value === 1, '0 (silent) or 1 (talking)');

const Row = object({ time: Seconds, label: Talking }, { bbox: t.readonlyArray(t.number) });

/**
 * The annotations of ASW, the Active Speakers in the Wild data set (github.com/clovaai/lookwhostalking):
 * `{"track_000000": [{"time", "bbox", "label", "eval"}, …], …}` with times in seconds, five a second, and label 1
 * where the face talks. Each track is a face, since the format does not say which tracks show the same person. A box is
 * `[left, top, right, bottom]` in shares of the picture.
 */
export const aswJson = jsonFormat({
  name: 'asw_json',
  recognises: (json) =>
    typeof json === 'object' &&
    json !== null &&
    !Array.isArray(json) &&
    Object.values(json).some((rows: unknown) => has(rows, '[].time', '[].label')) &&
    Object.values(json).every((rows: unknown) => Array.isArray(rows)),
  codec: t.record(t.string, t.readonlyArray(Row)),
  read: (document, { notes }) => {
    const tracks = Object.entries(document);
    const half = stepSeconds / 2;
    const faces = tracks.map(([key, rows]): FaceParts => {
      const [visible, talking] = [new Sightings(stepSeconds), new Sightings(stepSeconds)];
      const boxes: FaceBox[] = [];
      for (const { time, label, bbox = [] } of rows) {
        const [left, top, right, bottom] = bbox;
        if (left !== undefined && top !== undefined && right !== undefined && bottom !== undefined)
          boxes.push({ at: time, left, top, width: right - left, height: bottom - top });
        visible.add(time);
        if (label === 1) talking.add(time);
      }
      notes.add(`visible interval of a single row; are rows more than ${stepSeconds} s apart?`, visible.singles());
      const seen = visible.intervals(half, half);
      return { key, visible: seen, talking: talkingScores(seen, talking.intervals(half, half)), boxes };
    });
    return { rows: tracks.reduce((sum, [, rows]) => sum + rows.length, 0), faces };
  },
});
