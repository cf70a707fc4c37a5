import * as t from 'io-ts';
import { SpeakerId } from '../kernel/ids.js';

/** What a model proposes for one speaker: untrusted until it is grounded in the transcript. */
export const Proposal = t.intersection(
  [
    t.type({ speaker_id: SpeakerId }),
    t.partial({ name: t.string, quote: t.string, pattern: t.string, role: t.string, role_quote: t.string }),
  ],
  'Proposal',
);
export type Proposal = t.TypeOf<typeof Proposal>;

/** The only shape of a model's answer that parses. */
export const ModelAnswer = t.type({ speakers: t.readonlyArray(Proposal) }, 'ModelAnswer');
export type ModelAnswer = t.TypeOf<typeof ModelAnswer>;
