import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import { schemaWriter } from '../../../adapters/http/description/schema.js';
import { fieldPath } from '../../../domain/kernel/field-path.js';
import { arbitraryOf } from '../../fuzz/codec-arbitrary.js';
import { endpoints } from '../../../adapters/http/endpoints.js';
import { nearMissTexts } from '../../fuzz/near-misses.js';
import { shortOrLong } from '../../support/long-form.js';

interface Body {
  readonly operation: string;
  readonly codec: t.Mixed;
  readonly isDescribed: ValidateFunction;
}

const bodies = async (): Promise<ReadonlyArray<Body>> => {
  const write = schemaWriter();
  const all = endpoints.flatMap(({ operation, body }) => (body === null ? [] : [{ operation, codec: body }]));
  const schemas = Object.fromEntries(all.map(({ operation, codec }) => [operation, write.of(codec)]));
  const ajv = new Ajv2020({ strict: false, strictNumbers: true, validateFormats: false });
  return all.map(({ operation, codec }) => ({
    operation,
    codec,
    isDescribed: ajv.compile({ ...schemas[operation], components: { schemas: write.named() } }),
  }));
};

/** What JSON Schema cannot express, by the codec that rejects it. docs/machine-readable.md lists these. */
type Beyond = (value: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === 'string';
/** Texts must be well-formed, and their length is counted in UTF-16 units, not in characters. */
const text: Beyond = (value) => isText(value) && (!value.isWellFormed() || /[\u{10000}-\u{10ffff}]/u.test(value));
const hasDecimals: Beyond = (value) => typeof value === 'number' && value !== Number(value.toFixed(6));
const isReversed: Beyond = (value) => t.type({ start: t.number, end: t.number }).is(value) && value.start > value.end;

const beyondSchemas: Readonly<Record<string, Beyond>> = {
  PersonName: text,
  NameText: text,
  LabelText: text,
  TitleText: text,
  ReasonText: text,
  CaptionText: text,
  UtteranceText: text,
  DealPersonName: text,
  Reason: text,
  TagKeyText: text,
  Interval: isReversed,
  JsonObject: t.UnknownRecord.is,
  Metadata: t.UnknownRecord.is,
  Traits: t.UnknownRecord.is,
  TagValue: (value) => value !== undefined,
  NonZeroCredits: hasDecimals,
  CreditLimit: hasDecimals,
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isBeyond = ({ context }: t.ValidationError): boolean =>
  context.some(({ type, actual }) => beyondSchemas[type.name]?.(actual) === true);

/** Whether all errors are at places that JSON Schema cannot check. */
const mayDiffer = (errors: t.Errors): boolean => {
  const places = errors.filter(isBeyond).map(({ context }) => fieldPath(context));
  return errors.every(({ context }) => {
    const at = fieldPath(context);
    return places.some((place) => at.startsWith(place) || place.startsWith(at));
  });
};

const differ = ({ codec, isDescribed }: Body, value: unknown): boolean => {
  const decoded = codec.decode(value);
  if (E.isRight(decoded) === isDescribed(value)) return false;
  return E.isRight(decoded) || !mayDiffer(decoded.left);
};

describe('codecs of request bodies and their JSON Schemas', function () {
  this.timeout(300_000);

  it('accept and reject the same values, except for what JSON Schema cannot express', async () => {
    const all = await bodies();
    const seed = Date.now();
    const cases = shortOrLong(15_000, 46_000);
    const numRuns = Math.ceil(cases / all.length);
    const met = { accepted: 0, refused: 0 };
    for (const body of all)
      for (const sent of fc.sample(nearMissTexts(arbitraryOf(body.codec)), { numRuns, seed })) {
        const value = parsed(sent);
        if (value === undefined) continue;
        expect(differ(body, value), `seed ${seed}: ${body.operation} ${sent.slice(0, 1_000)}`).to.equal(false);
        met[body.codec.is(value) ? 'accepted' : 'refused'] += 1;
      }
    expect(met.accepted).to.be.above(cases * 0.32);
    expect(met.refused).to.be.above(cases * 0.32);
    expect(met.accepted + met.refused).to.be.above(cases * 0.86);
  });
});
