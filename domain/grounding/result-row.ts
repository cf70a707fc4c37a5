import * as t from 'io-ts';
import { SpeakerId } from '../kernel/ids.js';
import { SpeakerRole } from '../kernel/media.js';
export const ResultRow = t.intersection(
  [t.type({ speaker_id: SpeakerId }), t.partial({ name: t.string, role: SpeakerRole })],
  'ResultRow',
);
export type ResultRow = t.TypeOf<typeof ResultRow>;
