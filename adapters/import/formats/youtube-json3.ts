import * as t from 'io-ts';
import { spokenInCaptions } from '../captions.js';
import { gluedBySpaces, withEnds, type Tally } from '../format.js';
import { has, jsonFormat, object, valueAt } from '../json-format.js';
import { Milliseconds, toMicrosecond } from '../times.js';

const Segment = object({ utf8: t.string }, { tOffsetMs: Milliseconds });
const Event = object({ tStartMs: Milliseconds }, { dDurationMs: Milliseconds, segs: t.readonlyArray(Segment) });
const Events = t.readonlyArray(Event);

const sound = /^\s*\[[^\]]*\]\s*$/;

/** The segments with text. A segment lasts until its event ends, or the next segment begins. */
const piecesOf = (events: t.TypeOf<typeof Events>, dropped: Tally) => {
  const pieces = events.flatMap(({ tStartMs, dDurationMs, segs = [] }, index) => {
    const end = dDurationMs === undefined ? undefined : toMicrosecond(tStartMs + dDurationMs);
    return gluedBySpaces(segs.map(({ utf8: text, ...rest }) => ({ text, ...rest }))).flatMap((segment, at) => {
      const { text, glued, tOffsetMs = 0 } = segment;
      const isSound = sound.test(text);
      if (isSound) dropped.add('sound, such as [Music]');
      if (isSound || text.trim() === '') return [];
      const start = toMicrosecond(tStartMs + tOffsetMs);
      return [{ speaker: null, start, end, text, glued, place: `events[${index}].segs[${at}]` }];
    });
  });
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
export const youtubeJson3 = jsonFormat({
  name: 'youtube_json3',
  recognises: (json) => valueAt(json, 'wireMagic') === 'pb3' || has(json, 'events[].tStartMs'),
  codec: t.type({ events: Events }),
  read: ({ events }, reading) => {
    const pieces = piecesOf(events, reading.dropped);
    const shared = { rows: events.length, missing: 'no event with text' };
    if (events.some(({ segs = [] }) => segs.some(({ tOffsetMs }) => tOffsetMs !== undefined)))
      return { ...shared, words: pieces };
    const captions = pieces.map((one) => ({ ...one, text: one.text.split('\n').map((line) => line.trim()) }));
    return { ...shared, utterances: spokenInCaptions(captions, { inherits: false, rolls: true }, reading) };
  },
});
