import type { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Decided } from '../../domain/matching/decided.js';
import type { FaceTrack, MatchInput, SpeakerTurns } from '../../domain/matching/match-speakers-to-faces.js';
import type { FaceTracks } from '../../domain/video/events.js';

/** Bulky evidence in the form in which it is written: parts, each the JSON of one event's items. */
export interface PackedParts {
  /** At least one. Each is the UTF-8 of a JSON list. */
  readonly parts: ReadonlyArray<Uint8Array>;
  /** A digest of all parts: equal items have equal digests. */
  readonly digest: string;
}

/** The approximate size of a part in characters of JSON, well below the event size limit of any store. */
const partSize = 200_000;

/**
 * Splits items into parts of about equal size in JSON, in order; at least one part, which may be empty. Iterates over the
 * items, so that not all need to be in memory.
 */
export const packParts = (items: Iterable<unknown>, digest: (text: string) => string): PackedParts => {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const digests: string[] = [];
  let texts: string[] = [];
  let weight = 0;
  const finish = (): void => {
    const json = `[${texts.join(',')}]`;
    parts.push(encoder.encode(json));
    digests.push(digest(json));
    texts = [];
    weight = 0;
  };
  for (const item of items) {
    const text = JSON.stringify(item);
    if (weight > 0 && weight + text.length > partSize) finish();
    texts.push(text);
    weight += text.length;
  }
  if (texts.length > 0 || parts.length === 0) finish();
  return { parts, digest: digest(digests.join(' ')) };
};

/** Flat numbers: `start` and `end` of each interval, and for scores the score. */
type Numbers = Float64Array<ArrayBuffer>;

interface PackedFace {
  readonly face_id: FaceId;
  readonly name: string | null;
  readonly tracks: Numbers;
  readonly talking: Numbers;
  /** `start`, `end` and text length of each caption. */
  readonly captions: Numbers;
  readonly texts: string;
}

interface PackedSpeaker {
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
  readonly turns: Numbers;
}

/** The input of a match in typed arrays, which can be transferred to another thread without copying. */
export interface PackedMatchInput {
  readonly decided: Decided;
  readonly faces: ReadonlyArray<PackedFace>;
  readonly speakers: ReadonlyArray<PackedSpeaker>;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId> | null;
}

interface NumberList {
  readonly push: (...numbers: ReadonlyArray<number>) => void;
  readonly all: () => Numbers;
}

export const numberList = (): NumberList => {
  let numbers = new Float64Array(16);
  let length = 0;
  return {
    push: (...added) => {
      if (length + added.length > numbers.length) {
        const larger = new Float64Array(2 * numbers.length + added.length);
        larger.set(numbers);
        numbers = larger;
      }
      numbers.set(added, length);
      length += added.length;
    },
    all: () => numbers.slice(0, length),
  };
};

interface FacePacker {
  readonly add: (tracks: FaceTracks) => void;
  readonly packed: () => Pick<PackedFace, 'tracks' | 'talking' | 'captions' | 'texts'>;
}

/** Packs the tracks of one face, part by part. */
export const facePacker = (): FacePacker => {
  const [tracks, talking, captions] = [numberList(), numberList(), numberList()];
  const texts: string[] = [];
  return {
    add: (part) => {
      part.tracks.forEach(({ start, end }) => tracks.push(start, end));
      part.talking.forEach(({ start, end, score }) => talking.push(start, end, score));
      part.captions.forEach(({ start, end, text }) => {
        captions.push(start, end, text.length);
        texts.push(text);
      });
    },
    packed: () => ({
      tracks: tracks.all(),
      talking: talking.all(),
      captions: captions.all(),
      texts: texts.join(''),
    }),
  };
};

/** Splits flat numbers into rows of `width` and maps each to an item. */
const rows = <Item>(
  numbers: Numbers,
  width: number,
  itemOf: (time: Interval, third: number) => Item,
): ReadonlyArray<Item> =>
  Array.from({ length: numbers.length / width }, (_, row) => {
    const [start = 0, end = 0] = [numbers[row * width], numbers[row * width + 1]];
    return itemOf({ start, end }, width > 2 ? (numbers[row * width + 2] ?? 0) : 0);
  });

const interval = (time: Interval): Interval => time;

const unpackedFace = ({ face_id, name, tracks, talking, captions, texts }: PackedFace): FaceTrack => {
  let place = 0;
  return {
    face_id,
    name,
    tracks: rows(tracks, 2, interval),
    talking: rows(talking, 3, (time, score) => ({ ...time, score })),
    captions: rows(captions, 3, (time, length) => {
      const text = texts.slice(place, place + length);
      place += length;
      return { ...time, text };
    }),
  };
};

const unpackedSpeaker = ({ speaker_id, name, turns }: PackedSpeaker): SpeakerTurns => ({
  speaker_id,
  name,
  turns: rows(turns, 2, interval),
});

/** The input in the form that the matching takes. */
export const unpackMatchInput = ({ faces, speakers, target_speaker_ids, decided }: PackedMatchInput): MatchInput => ({
  faces: faces.map(unpackedFace),
  speakers: speakers.map(unpackedSpeaker),
  target_speaker_ids,
  decided,
});
