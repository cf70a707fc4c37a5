import type { FaceId } from '../../domain/kernel/ids.js';
import type { Face } from '../../domain/video/state.js';
import { faceId } from './values.js';
import { attributes } from './video-events.js';

/** A face as a video holds it: of an analysis, without a name, unless said otherwise. */
export const faceOf = (id: number, parts: Partial<Face> = {}): Face => ({
  ...attributes(),
  face_id: faceId(id),
  named_by: 'analysis',
  named_at: null,
  name_origin: 'own',
  own: [],
  ...parts,
});

export const facesOf = (...all: readonly Face[]): ReadonlyMap<FaceId, Face> =>
  new Map(all.map((face) => [face.face_id, face]));
