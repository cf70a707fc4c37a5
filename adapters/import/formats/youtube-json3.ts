import * as t from 'io-ts';
import { spokenInCaptions } from '../captions.js';
import { Milliseconds, decodeDocument, listAt, valueAt } from '../json.js';
import { toMicrosecond } from '../fields.js';
import { type JsonFormat, withEnds, Tally } from '../format.js';

const Segment = t.intersection([t.type({ utf8: t.string }), t.partial({ tOffsetMs: Milliseconds })]);
const Event = t.intersection([
  t.type({ tStartMs: Milliseconds }),
  t.partial({ dDurationMs: Milliseconds, segs: t.readonlyArray(Segment) }),
]);
const Json3 = t.type({ events: t.readonlyArray(Event) });

const sound = /^\s*\[[^\]]*\]\s*$/;

interface Piece {
  readonly start: number;
  readonly end: number | undefined;
  readonly text: string;
  readonly glued: boolean;
  readonly place: string;
}

/** The segments with text. A segment lasts until its event ends, or the next segment begins. */
const piecesOf = ({ events }: t.TypeOf<typeof Json3>, dropped: Tally) => {
  const pieces = events.flatMap(({ tStartMs, dDurationMs, segs = [] }, index) =>
    segs.flatMap(({ utf8: text, tOffsetMs = 0 }, at): ReadonlyArray<Piece> => {
      if (text.trim() === '') return [];
      if (sound.test(text)) {
        dropped.add('sound, such as [Music]');
        return [];
      }
      const end = dDurationMs === undefined ? undefined : toMicrosecond(tStartMs + dDurationMs);
      const glued = at > 0 && !/^\s/.test(text) && !/\s$/.test(segs[at - 1]?.utf8 ?? '');
      return [{ start: toMicrosecond(tStartMs + tOffsetMs), end, text, glued, place: `events[${index}].segs[${at}]` }];
    }),
  );
  const sorted = pieces.toSorted((a, b) => a.start - b.start);
  return withEnds(sorted).map((piece, index) => {
    const next = sorted[index + 1]?.start ?? Infinity;
    return { ...piece, end: piece.end > next && next > piece.start ? next : piece.end };
  });
};

/**
 * YouTube's captions as `fmt=json3`: events on the screen, whose segments are words if they have offsets, in
 * milliseconds (yt-dlp/yt-dlp#1734). Events last until they leave the screen, beyond the start of the next one.
 */
export const youtubeJson3: JsonFormat = {
  name: 'youtube_json3',
  reads: 'json',
  recognises: (json) =>
    valueAt(json, 'wireMagic') === 'pb3' ||
    listAt(json, 'events').some((event) => typeof valueAt(event, 'tStartMs') === 'number'),
  read: (json) => {
    const document = decodeDocument(Json3, json);
    const [dropped, notes] = [new Tally(), new Tally()];
    const pieces = piecesOf(document, dropped);
    const rows = document.events.length;
    const missing = 'no event with text';
    if (document.events.some(({ segs = [] }) => segs.some(({ tOffsetMs }) => tOffsetMs !== undefined))) {
      const spoken = pieces.map((piece) => ({ ...piece, speaker: null }));
      return { rows, speech: { grain: 'word', spoken, missing }, dropped, notes };
    }
    const captions = pieces.map(({ text, ...piece }) => ({
      ...piece,
      speaker: null,
      text: text.split('\n').map((line) => line.trim()),
    }));
    const spoken = spokenInCaptions(captions, { inherits: false, rolls: true }, dropped, notes);
    return { rows, speech: { grain: 'utterance', spoken, missing }, dropped, notes };
  },
};
