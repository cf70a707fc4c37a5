import type { FaceTracks } from '../../domain/video/face-tracks.js';

const longest = 1_000;

const slices = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> =>
  Array.from({ length: Math.ceil(items.length / longest) }, (_, index) =>
    items.slice(index * longest, (index + 1) * longest),
  );

/** A face's tracks in pieces that fit a part each, however long the face is to be seen. */
export const facePieces = ({ face_id, tracks, talking, captions }: FaceTracks): ReadonlyArray<FaceTracks> => {
  const none = { face_id, tracks: [], talking: [], captions: [] };
  return [
    ...slices(tracks).map((piece) => ({ ...none, tracks: piece })),
    ...slices(talking).map((piece) => ({ ...none, talking: piece })),
    ...slices(captions).map((piece) => ({ ...none, captions: piece })),
  ];
};
