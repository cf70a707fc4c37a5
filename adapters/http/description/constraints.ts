import type { Schema } from './json-schema.js';

const id: Schema = { pattern: '^[A-Za-z0-9._:-]{1,128}$' };
const noDots: Schema = { pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$' };
const natural: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const whole = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });

const largestAmount = 999_999_999.999_999;
const credits: Schema = { type: 'number', description: 'A number of credits, exact to 6 decimal places.' };
const amount: Schema = { ...credits, minimum: -largestAmount, maximum: largestAmount };

/**
 * What a refinement adds to the schema of what it refines, by the name of its codec. Some things cannot be told: that a
 * text is well-formed Unicode, that an interval starts before it ends, how large or deep an object is.
 */
export const refinements: Readonly<Record<string, Schema>> = {
  VideoId: id,
  AudioId: id,
  AccountId: id,
  KeyId: id,
  RunId: id,
  SessionId: id,
  InstanceId: id,
  ChargeId: id,
  BodyId: noDots,
  Finite: {},
  NamedId: { type: 'integer' },
  FaceId: natural,
  SpeakerId: natural,
  Accuracy: { minimum: 0, maximum: 1, description: 'How sure it is, from 0 to 1.' },
  Interval: { description: 'A stretch of media time in seconds; `start` is not after `end`.' },
  NameText: { maxLength: 500 },
  PersonName: { maxLength: 500, pattern: '\\S', description: 'A name that is not blank.' },
  Text: { maxLength: 10_000 },
  Reason: { maxLength: 500, pattern: '\\S' },
  MediaUrl: { format: 'uri', maxLength: 2_048, pattern: '^[hH][tT][tT][pP][sS]?://' },
  Timestamp: { format: 'date-time', description: 'RFC 3339 in UTC, with milliseconds.' },
  CreditsText: { pattern: '^-?\\d+(\\.\\d{1,6})?$', description: 'A number of credits as a decimal text.' },
  PeriodSeconds: whole(1, 31_622_400),
  RetentionDays: whole(1, 36_500),
  KeyLifetime: whole(60, 31_622_400),
  OwnKeyLifetime: whole(60, 86_400),
  LineIndex: whole(0, 65_535),
  TagKey: { maxLength: 128, pattern: '^[A-Za-z0-9_:-]+(\\.[A-Za-z0-9_:-]+)*$' },
  RegistryKey: { maxLength: 128, pattern: '^[A-Za-z0-9_:-]+(\\.[A-Za-z0-9_:-]+)*(\\.\\*)?$' },
  TagSource: { pattern: '^(importer|user)\\.[A-Za-z0-9._:-]{1,128}$' },
  TagKeyText: { maxLength: 1_000 },
  TagList: { minItems: 1 },
  Present: { description: 'Any value but an absent one; the registry says of which kind.' },
  FaceNamesBody: { minItems: 1 },
  SpeakerNamesBody: { minItems: 1 },
  SpeakerRolesBody: { minItems: 1 },
  Traits: { description: 'What was learned of a person: at most 32 levels and 10,000 values.' },
  Metadata: { description: 'What a client notes down with a session: at most 64 KiB and 32 levels.' },
  WrittenDecision: {
    description: 'A rejection names a face.',
    not: { properties: { verdict: { const: 'rejected' }, face_id: { type: 'null' } }, required: ['verdict'] },
  },
};

/** The schemas of codecs that io-ts knows nothing of, by their names. */
export const ownCodecs: Readonly<Record<string, Schema>> = {
  JsonObject: { type: 'object', additionalProperties: true },
  NonZeroCredits: { ...amount, not: { const: 0 } },
  CreditLimit: { ...amount, minimum: 0 },
  CreditsNumber: credits,
  CreditsAsText: credits,
  SpendingWindowBody: {
    type: 'object',
    description: '`limit: null` asks for no window, whatever else is given.',
    properties: {
      limit: { type: ['number', 'null'], minimum: 0, maximum: largestAmount },
      period_seconds: whole(1, 31_622_400),
    },
    required: ['limit'],
    oneOf: [
      { properties: { limit: { type: 'null' } }, required: ['limit'] },
      { properties: { limit: { type: 'number' } }, required: ['limit', 'period_seconds'] },
    ],
  },
  'absent: the field was removed': { not: {}, description: 'This field was removed: a body that has it is refused.' },
};
