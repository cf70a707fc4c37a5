import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { parseAvaCsv } from './parse.js';
import type { ImportedFaces, ImportError } from '../../../adapters/import/imported.js';
import { readImportBytes } from './parse.js';
import { shortOrLong } from '../../support/long-form.js';

const oddly = <Value>(usual: fc.Arbitrary<Value>, odd: ReadonlyArray<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ arbitrary: usual, weight: 60 }, { arbitrary: fc.constantFrom(...odd), weight: 1 });

const seconds = fc.integer({ min: 0, max: 500 }).map((frame) => (frame * 0.04).toFixed(2));
const corner = fc.integer({ min: 0, max: 999_999 }).map((share) => `0.${String(share).padStart(6, '0')}`);

/** Mostly valid rows, some nearly valid or broken ones. `end`: the speaker's column, if any. */
const rowWith = (end: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      oddly(fc.constant('clip'), ['clip2', 'cli', '', 'clíp']),
      oddly(seconds, ['1e1', '+1', ' 2', '-1', '.5', '5.', '1.2.3', '0.1234567890123456', '99999999999', '']),
      oddly(corner, ['1e-3', '-0.1', '', 'x', '..1']),
      oddly(fc.constantFrom('NOT_SPEAKING', 'SPEAKING_AUDIBLE', 'SPEAKING_NOT_AUDIBLE'), [
        'SPEAKING',
        ' NOT_SPEAKING',
        '',
      ]),
      oddly(fc.constantFrom('clip_0:1', 'clip_0:2', 'clip_60:1'), ['é', ' clip_0:1', '', 'clip_0:1 ', 'a,b']),
      end,
    )
    .map(([video, at, x1, label, id, rest]) => `${video},${at},${x1},0.2,0.3,0.4,${label},${id}${rest}`);

const plainRows = fc.array(rowWith(oddly(fc.constant(''), ['\r', ' ', '\r\r', '\n', ',spk'])), {
  minLength: 1,
  maxLength: 40,
});
const speakers = oddly(fc.constantFrom(',01spk00', ',01spk01', ',01NA'), [
  '',
  ',',
  ',-1',
  ',<NA>\r',
  ',a b',
  ',a,b',
  ',é',
]);
const speakerRows = fc.array(rowWith(speakers), { minLength: 1, maxLength: 40 });

const asText = (text: string): Promise<E.Either<ImportError, ImportedFaces>> =>
  parseAvaCsv(text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));

describe('AVA scanner', () => {
  it('gives the same faces and the same errors as reading rows as text', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(plainRows, speakerRows), fc.constantFrom('', '\n'), async (rows, end) => {
        const text = rows.join('\n') + end;
        const read = await readImportBytes(Buffer.from(text), { format: 'ava_csv' });
        const faces = E.map(({ imported }: { imported: { faces: ImportedFaces | null } }) => imported.faces)(read);
        expect(faces).to.deep.equal(await asText(text));
      }),
      { numRuns: shortOrLong(400, 2_000) },
    ));
});
