import { expect } from 'chai';
import * as fc from 'fast-check';
import { shortOrLong } from '../support/long-form.js';
import { recording } from '../support/renumbering-model/recording.js';
import { anyStep } from '../support/renumbering-model/steps.js';

/** An analysis that finds everybody. */
const first = { numbers: [0, 1, 2, 3], found: [true, true, true, true], blur: 0, stated: false };

describe('names, matches and decisions, over analyses that number as they like', function () {
  this.timeout(3_600_000);

  it('are never on a voice or face that nobody gave them to', () =>
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 4, maxLength: 16 }), (steps) => {
        const { perform, faults } = recording();
        perform({ do: 'analyse faces', ...first });
        perform({ do: 'analyse voices', ...first });
        for (const step of steps) {
          perform(step);
          const found = faults();
          if (found.length > 0) expect(found).to.deep.equal([]);
        }
      }),
      { numRuns: shortOrLong(2_000, 100_000) },
    ));
});
