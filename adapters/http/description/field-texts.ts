import * as t from 'io-ts';
import type { Schema } from './constraints.js';
import { fields } from './fields.js';

const ofResult = {
  seq: 'The number of the result in the session, from 1.',
  start: 'Start, in seconds since the first media.',
  end: 'End, in seconds since the first media.',
};
const namedSpeakers = {
  target_speaker_ids: 'The speakers to name.',
  by: 'The id of the key that asked for the names.',
};
const merged = { from: 'The speaker that is merged into the other one.', into: 'The speaker that remains.' };

/** Descriptions of fields that only one schema or event type has, or that mean something else there than elsewhere. */
const ownTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MergeSpeakersBody: merged,
  Renumbered: { from: 'The id in the analysis before.', to: 'The id in the new analysis.' },
  MergedSpeakers: merged,
  NameInferenceBody: { target_speaker_ids: 'The speakers to name; required.' },
  NewSession: { expires_at: 'When it ends at the latest.' },
  ProviderTagsBody: { source: 'Where the tags come from: `importer.<name>`.' },
  QuestionName: {
    source: '`inference`: a name inference that was not committed; `caption`: text on the screen near the face.',
  },
  VideoStats: {
    ...ofResult,
    frames: 'The number of video frames.',
    width: 'The width of the video in pixels; null if unknown.',
    height: 'The height of the video in pixels; null if unknown.',
  },
  VoiceActivity: {
    ...ofResult,
    speaking: 'Whether somebody speaks.',
    level_dbfs: 'The mean power relative to full scale, in dB; silence is -127.',
  },
  ErrorFrame: {
    reason: 'With `insufficient_credits`: what the account lacks.',
    retryable: 'Whether a new session may succeed, after `retry_after_seconds` if they are given.',
    retry_after_seconds: 'Seconds to wait before a new session: until the spending window has room again.',
  },
  Warning: { seconds_left: 'How long the credits still last, in seconds.' },

  LogSealed: { events: 'The number of sealed events.' },
  MatchRunSuperseded: { by: 'The run that replaced this one.' },
  NameInferenceAnswered: namedSpeakers,
  NameInferenceRequested: namedSpeakers,
  NamesInferred: namedSpeakers,
  RealtimeSessionCreated: { expires_at: 'When the session ends at the latest.' },
  SpeakersMerged: merged,
};

/** The types that a constraint is for. */
const typesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  minItems: ['array'],
  maxItems: ['array'],
};

const listOf = (types: unknown): ReadonlyArray<unknown> => (t.UnknownArray.is(types) ? types : [types]);

/** The constraints that apply to a schema: a field of the same name may be a number in one place and a list in another. */
const fitting = (constraints: Schema, { type }: Schema): Schema =>
  Object.fromEntries(
    Object.entries(constraints).filter(([name]) => listOf(type).some((one) => typesOf[name]?.some((it) => it === one))),
  );

const isEdit = ({ properties }: Schema): boolean =>
  t.UnknownRecord.is(properties) && 'before' in properties && 'after' in properties;

/** Titles and addresses before and after a change: an object instead of the text that the field is elsewhere. */
const editTexts: Readonly<Record<string, string>> = {
  title: 'The title before and after the change',
  media_url: 'The media URL before and after the change',
};

const editText = (name: string, { type }: Schema): string | null => {
  const about = editTexts[name];
  if (about === undefined) return null;
  return listOf(type).includes('null') ? `${about}; null: unchanged.` : `${about}.`;
};

/** The schema of a field: that of its codec, with the description and constraints of its name. */
export const fieldOf = (name: string, schema: Schema): Schema => {
  const about = fields[name];
  if (about === undefined) return schema;
  const [description, constraints] = typeof about === 'string' ? [about, {}] : about;
  const edit = isEdit(schema) ? editText(name, schema) : null;
  return { ...fitting(constraints, schema), ...schema, description: edit ?? description };
};

/** The schema of an object with the descriptions that its fields have only there. */
export const withOwnTexts = (name: string, schema: Schema): Schema => {
  const texts = ownTexts[name];
  const { properties } = schema;
  if (texts === undefined || !t.UnknownRecord.is(properties)) return schema;
  const described = Object.entries(properties).map(([field, value]) => {
    const description = texts[field];
    return [
      field,
      description === undefined || !t.UnknownRecord.is(value) ? value : { ...value, description },
    ] as const;
  });
  return { ...schema, properties: Object.fromEntries(described) };
};
