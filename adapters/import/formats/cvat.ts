import {
  type XmlElement,
  type FaceParts,
  type XmlFormat,
  type FaceBox,
  type Interval,
  refuse,
  frameRateOf,
} from '../format.js';
import { decimalIn, numberAt, toMicrosecond } from '../fields.js';
import { elementsIn, textIn } from '../xml.js';

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
