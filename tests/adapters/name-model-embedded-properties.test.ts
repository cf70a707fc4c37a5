import * as fc from 'fast-check';
import { expect } from 'chai';
import { ground } from '../../domain/grounding/ground.js';
import { speaker } from '../domain/grounding/cases.js';
import { speakerId } from '../support/values.js';
import { shortOrLong } from '../support/long-form.js';
import { loadKnownWords } from '../../adapters/name-model/embedded/reading.js';
import { propose } from '../../adapters/name-model/embedded/propose.js';

const ids = [0, 1, 2, 3].map(speakerId);
const cues = [
  'thanks',
  'Thank you',
  'this is',
  'my name is',
  'over to',
  'question from',
  'go ahead',
  'here',
  'the',
  'of',
];
const words = [
  'Ada',
  'Bob',
  'Mr.',
  'Ms',
  'Smith',
  'J.',
  '[PII]',
  '王',
  'Minister',
  'A-',
  'Bank',
  "'s",
  '.',
  ',',
  '?',
  '\u200b',
];
const calls = ['hello how can i help you', 'I lost my card', 'What is your name?'];
const text = fc.array(fc.constantFrom(...cues, ...words, ...calls), { maxLength: 12 }).map((parts) => parts.join(' '));
const anyText = fc.oneof({ weight: 5, arbitrary: text }, fc.string({ unit: 'binary' }));
const transcript = fc
  .array(fc.tuple(fc.constantFrom(...ids), anyText), { maxLength: 15 })
  .map((lines) => lines.map(([speaker_id, line], at) => ({ speaker_id, text: line, start: at, end: at + 1 })));

describe('embedded name model: properties', function () {
  this.timeout(60_000);

  it('proposes nothing without evidence', async () => {
    const words = await loadKnownWords();
    const question = { speakers: ids.map((id) => speaker(id)), target_speaker_ids: ids, infer_roles: true };
    fc.assert(
      fc.property(transcript, (said) => {
        const { proposals } = propose({ ...question, transcript: said }, words);
        const rows = ground({ ...question, video_id: null, transcript: said, proposals });
        expect(rows.map(({ speaker_id }) => speaker_id)).to.deep.equal(ids);
        for (const { reason, role_reason } of rows) {
          expect(reason).to.be.oneOf([undefined, 'no_proposal', 'not_a_person_name', 'conflicting_evidence']);
          expect(role_reason).to.be.oneOf([undefined, 'no_role_proposal']);
        }
      }),
      { numRuns: shortOrLong(200, 1_000) },
    );
  });
});
