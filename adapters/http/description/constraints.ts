/** A JSON Schema that is valid in both draft 7 and 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

const id: Schema = { pattern: '^[A-Za-z0-9._:-]{1,128}$' };
const noDots: Schema = { pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$' };
const natural: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const whole = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });

const largestAmount = 999_999_999.999_999;
const credits: Schema = { type: 'number', description: 'An amount of credits, exact to 6 decimal places.' };
const amount: Schema = { ...credits, minimum: -largestAmount, maximum: largestAmount };

/**
 * What a refinement codec adds to the schema of the codec that it refines, by name. JSON Schema cannot express everything:
 * that a text is well-formed Unicode, that an interval starts before it ends, or how large or deep an object is.
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
  Accuracy: { minimum: 0, maximum: 1, description: 'A probability, from 0 to 1.' },
  MediaTime: { minimum: 0, description: 'A time in seconds from the start of the medium.' },
  Share: { minimum: 0, maximum: 1, description: 'A share of the picture, from 0 to 1.' },
  Interval: {
    description: 'A time interval in seconds from the start of the medium; `start` must not be after `end`.',
  },
  NameText: {},
  LabelText: {},
  TitleText: {},
  ReasonText: {},
  UtteranceText: {},
  CaptionText: {},
  DealPersonName: {},
  PersonName: { pattern: '\\S', description: 'A name; must not be blank.' },
  Reason: { pattern: '\\S' },
  MediaUrl: { format: 'uri', maxLength: 2_048, pattern: '^[hH][tT][tT][pP][sS]?://' },
  Timestamp: { format: 'date-time', description: 'An RFC 3339 timestamp in UTC, with milliseconds.' },
  CreditsText: { pattern: '^-?\\d+(\\.\\d{1,6})?$', description: 'An amount of credits, as a decimal string.' },
  PeriodSeconds: whole(1, 31_622_400),
  RetentionDays: whole(1, 36_500),
  KeyLifetime: whole(60, 31_622_400),
  OwnKeyLifetime: whole(60, 86_400),
  LineIndex: whole(0, 65_535),
  Revision: natural,
  TagKey: { maxLength: 128, pattern: '^[A-Za-z0-9_:-]+(\\.[A-Za-z0-9_:-]+)*$' },
  RegistryKey: { maxLength: 128, pattern: '^[A-Za-z0-9_:-]+(\\.[A-Za-z0-9_:-]+)*(\\.\\*)?$' },
  TagSource: { pattern: '^(importer|user)\\.[A-Za-z0-9._:-]{1,128}$' },
  TagKeyText: { maxLength: 1_000 },
  TagList: { minItems: 1 },
  TagValue: { description: 'A value of the type set in the tag registry, at most 2 KiB of JSON without spaces.' },
  FaceNamesBody: { minItems: 1 },
  SpeakerNamesBody: { minItems: 1 },
  SpeakerRolesBody: { minItems: 1 },
  Traits: { description: 'Personality data: a JSON object of at most 32 levels and 16 KiB without spaces.' },
  Metadata: {
    description:
      'Data that the client stores with the session: a JSON object of at most 32 levels and 16 KiB without spaces.',
  },
  WrittenDecision: {
    description: 'A rejection requires a face.',
    not: { properties: { verdict: { const: 'rejected' }, face_id: { type: 'null' } }, required: ['verdict'] },
  },
};

/** Schemas of codecs that are not built from io-ts types, by name. */
export const ownCodecs: Readonly<Record<string, Schema>> = {
  JsonObject: { type: 'object', additionalProperties: true },
  NonZeroCredits: { ...amount, not: { const: 0 } },
  CreditLimit: { ...amount, minimum: 0 },
  CreditsNumber: credits,
  CreditsAsText: credits,
  SpendingWindowBody: {
    type: 'object',
    description: '`limit: null` clears the window; other fields are then ignored.',
    properties: {
      limit: { type: ['number', 'null'], minimum: 0, maximum: largestAmount },
      period_seconds: whole(1, 31_622_400),
    },
    required: ['limit'],
    not: { properties: { limit: { type: 'number' }, period_seconds: { not: {} } } },
  },
  'absent: the field was removed': {
    not: {},
    description: 'This field was removed; a body that contains it is refused.',
  },
};
