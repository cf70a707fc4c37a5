import * as t from 'io-ts';
import { SpeakerId } from '../../../domain/kernel/ids.js';

/** `infer_roles` may be left out, but not be null (specification, section 4.2). */
export const NameInferenceBody = t.intersection(
  [t.type({ target_speaker_ids: t.readonlyArray(SpeakerId) }), t.partial({ infer_roles: t.boolean })],
  'NameInferenceBody',
);
