import { numberAt } from '../fields.js';
import { type LineFormat, refuse, frameRateOf } from '../format.js';
import { areMost, isNumeric, rowsOf } from '../rows.js';
import { Sightings } from '../intervals.js';

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
