import type { Box, Caption, FaceTracks, TalkingScore } from '../../domain/video/face-tracks.js';
import type { FaceId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';

/** The tracks of a face as `FaceTracks`, with any number of items. */
export interface SeenFace {
  readonly face_id: FaceId;
  readonly tracks: Iterable<Interval>;
  readonly talking: Iterable<TalkingScore>;
  readonly captions: Iterable<Caption>;
  readonly boxes?: Iterable<Box>;
}

const maxItems = 1_000;

function* slices<Item>(items: Iterable<Item>): Iterable<ReadonlyArray<Item>> {
  let slice: Item[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < maxItems) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

const interval = ({ start, end }: Interval): Interval => ({ start, end });

/** Splits a face's tracks into pieces that each fit a part. */
export function* facePieces({ face_id, tracks, talking, captions, boxes = [] }: SeenFace): Iterable<FaceTracks> {
  const none = { face_id, tracks: [], talking: [], captions: [] };
  for (const piece of slices(tracks)) yield { ...none, tracks: piece.map(interval) };
  for (const piece of slices(talking))
    yield { ...none, talking: piece.map(({ start, end, score }) => ({ start, end, score })) };
  for (const piece of slices(captions))
    yield { ...none, captions: piece.map(({ start, end, text }) => ({ start, end, text })) };
  for (const piece of slices(boxes))
    yield { ...none, boxes: piece.map(({ at, left, top, width, height }) => ({ at, left, top, width, height })) };
}
