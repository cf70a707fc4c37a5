import * as t from 'io-ts';
import { SpeakerId } from '../kernel/ids.js';

/** A model's proposal for one speaker; untrusted until checked against the transcript. */
export const Proposal = t.intersection(
  [
    t.type({ speaker_id: SpeakerId }),
    t.partial({ name: t.string, quote: t.string, pattern: t.string, role: t.string, role_quote: t.string }),
  ],
  'Proposal',
);
export type Proposal = t.TypeOf<typeof Proposal>;

/** The required shape of a model's answer. */
export const ModelAnswer = t.type({ speakers: t.readonlyArray(Proposal) }, 'ModelAnswer');
export type ModelAnswer = t.TypeOf<typeof ModelAnswer>;
