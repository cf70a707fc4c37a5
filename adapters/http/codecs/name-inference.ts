import * as t from 'io-ts';
import { Targets } from './targets.js';

/** `infer_roles` may be left out, but not be null (specification, section 4.2). */
export const NameInferenceBody = t.intersection(
  [t.type({ target_speaker_ids: Targets }), t.partial({ infer_roles: t.boolean })],
  'NameInferenceBody',
);
export type NameInferenceBody = t.TypeOf<typeof NameInferenceBody>;
