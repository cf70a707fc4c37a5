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

function* listsOf<Item>(items: Iterable<Item>): Iterable<ReadonlyArray<Item>> {
  let list: Item[] = [];
  for (const item of items) {
    list.push(item);
    if (list.length < maxItems) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}

const interval = ({ start, end }: Interval): Interval => ({ start, end });

/** Splits a face's tracks into pieces that each fit a part. */
export function* facePieces({ face_id, tracks, talking, captions, boxes = [] }: SeenFace): Iterable<FaceTracks> {
  const none = { face_id, tracks: [], talking: [], captions: [] };
  for (const piece of listsOf(tracks)) yield { ...none, tracks: piece.map(interval) };
  for (const piece of listsOf(talking))
    yield { ...none, talking: piece.map(({ start, end, score }) => ({ start, end, score })) };
  for (const piece of listsOf(captions))
    yield { ...none, captions: piece.map(({ start, end, text }) => ({ start, end, text })) };
  for (const piece of listsOf(boxes))
    yield { ...none, boxes: piece.map(({ at, left, top, width, height }) => ({ at, left, top, width, height })) };
}
