import * as t from 'io-ts';
import type { FaceParts, FaceBox } from '../format.js';
import { Seconds, has, jsonFormat, object } from '../json.js';
import { talkingScores, Sightings } from '../intervals.js';

/** ASW has five frames a second: a row covers the 0.2 s around its time. */
const stepSeconds = 0.2;

/** 0: silent, 1: talking. */
const Talking = new t.Type<0 | 1>(
  '0 (silent) or 1 (talking)',
  (value): value is 0 | 1 => value === 0 || value === 1,
  (value, context) => (value === 0 || value === 1 ? t.success(value) : t.failure(value, context)),
  t.identity,
);

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
