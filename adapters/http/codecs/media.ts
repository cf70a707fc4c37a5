import * as t from 'io-ts';
import { SpeakerTurn } from '../../../domain/audio/events.js';
import { Actor, nullable, JsonObject } from '../../../domain/kernel/recorded-event.js';
import { FaceId, NamedId, SpeakerId } from '../../../domain/kernel/ids.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { MediaKind, ProcessingStatus, SpeakerRole } from '../../../domain/kernel/media.js';
import { Box, FaceTracks, TalkingScore } from '../../../domain/video/events.js';
import { CreditLimit } from './access.js';
import {
  count,
  described,
  text,
  BodyAudioId,
  BodyVideoId,
  NameText,
  PersonName,
  ReasonText,
  Targets,
  TitleText,
  isJsonWithin,
  limits,
  list,
  nonEmpty,
  pageOf,
  record,
  smallJson,
} from './values.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { AudioRecord, VideoRecord } from '../../../projections/views.js';
import { TagRegistryEntry, TagKey, TagCategory, TagValueType } from '../../../domain/tag-registry/contract.js';
import { TagView } from '../../../projections/tag-views.js';

/** What is stored as it comes: only the length is checked. */
const lengthUpTo = (most: number, name: string) =>
  text(name, most, () => true, `a text of at most ${count(most)} characters`);

const Utterance = t.intersection(
  [t.type({ speaker_id: SpeakerId, text: lengthUpTo(limits.utterance, 'UtteranceText') }), Interval],
  'Utterance',
);
const WrittenCaption = t.intersection(
  [Interval, t.type({ text: lengthUpTo(limits.caption, 'CaptionText') })],
  'WrittenCaption',
);
const DealPerson = t.type({ person_id: t.string, name: lengthUpTo(limits.name, 'DealPersonName') }, 'DealPerson');

const Utterances = list(Utterance, limits.evidence, 'utterances');

/** The absolute http or https URL at which people can play a video. The service never fetches it. */
const MediaUrl = described(
  t.refinement(
    t.string,
    (url) => url.length <= limits.url && /^https?:\/\//i.test(url) && URL.canParse(url),
    'MediaUrl',
  ),
  { format: 'uri', maxLength: limits.url, pattern: '^[hH][tT][tT][pP][sS]?://' },
  `an http or https URL of at most ${count(limits.url)} characters`,
);

export const RegisterVideoBody = t.partial(
  {
    video_id: nullable(BodyVideoId),
    title: nullable(TitleText),
    kind: nullable(MediaKind),
    media_url: nullable(MediaUrl),
    audio_id: nullable(BodyAudioId),
  },
  'RegisterVideoBody',
);

export const RegisterAudioBody = t.partial(
  {
    audio_id: nullable(BodyAudioId),
    title: nullable(TitleText),
    video_id: nullable(BodyVideoId),
    kind: nullable(MediaKind),
    deal_persons: nullable(list(DealPerson, limits.items, 'deal persons')),
  },
  'RegisterAudioBody',
);

/** Null clears a field; an absent field is not changed. */
export const VideoDetailsBody = t.partial(
  { title: nullable(TitleText), media_url: nullable(MediaUrl) },
  'VideoDetailsBody',
);
export const AudioDetailsBody = t.partial({ title: nullable(TitleText) }, 'AudioDetailsBody');

const Traits = smallJson('Traits', limits.traits, 'Personality data');

const AnalysedFaceBody = record(
  { id: FaceId, tracks: list(Interval, limits.evidence, 'tracks') },
  {
    name: nullable(NameText),
    personality_traits: nullable(Traits),
    talking: nullable(list(TalkingScore, limits.evidence, 'talking scores')),
    captions: nullable(list(WrittenCaption, limits.evidence, 'captions')),
    boxes: nullable(list(Box, limits.evidence, 'boxes')),
  },
);

const lengthOf = (face: unknown, field: string): number => {
  const items: unknown = typeof face === 'object' && face !== null ? Reflect.get(face, field) : null;
  return Array.isArray(items) ? items.length : 0;
};

/** The limit for the tracks of one face also applies to all faces together. */
const tracksWithinLimit = (faces: ReadonlyArray<unknown>): string | null => {
  const crowded = ['tracks', 'talking', 'captions', 'boxes'].find(
    (field) => faces.reduce<number>((sum, face) => sum + lengthOf(face, field), 0) > limits.evidence,
  );
  return crowded === undefined ? null : `a list of faces with at most 200,000 ${crowded} in total`;
};

export const VideoAnalysisBody = record(
  { status: ProcessingStatus, faces: list(AnalysedFaceBody, limits.faces, 'faces', tracksWithinLimit) },
  { align: nullable(t.boolean) },
  'VideoAnalysisBody',
);

const AnalysedSpeakerBody = record(
  { speaker_id: SpeakerId },
  { name: nullable(NameText), role: nullable(SpeakerRole), synthetic: nullable(t.boolean) },
);

export const AudioAnalysisBody = record(
  {
    status: ProcessingStatus,
    speakers: list(AnalysedSpeakerBody, limits.speakers, 'speakers'),
    segments: list(SpeakerTurn, limits.evidence, 'segments'),
  },
  {
    transcript: nullable(Utterances),
    provider_supplied: nullable(t.boolean),
    speech_segments: nullable(ReasonText),
    align: nullable(t.boolean),
  },
  'AudioAnalysisBody',
);

export const PersonalityTraitsBody = t.type({ personality_traits: Traits }, 'PersonalityTraitsBody');

export const TranscriptBody = t.type({ transcript: Utterances }, 'TranscriptBody');

export const FaceNamesBody = nonEmpty(
  t.type({ face_id: FaceId, name: PersonName }),
  limits.items,
  'faces',
  'FaceNamesBody',
);

/** Unknown speakers are skipped (section 4.5), so any integer is accepted. */
export const SpeakerNamesBody = nonEmpty(
  t.type({ speaker_id: NamedId, name: PersonName }),
  limits.items,
  'speakers',
  'SpeakerNamesBody',
);

export const SpeakerRolesBody = nonEmpty(
  t.type({ speaker_id: NamedId, role: nullable(SpeakerRole) }),
  limits.items,
  'speakers',
  'SpeakerRolesBody',
);

export const MergeSpeakersBody = t.type({ from: SpeakerId, into: SpeakerId }, 'MergeSpeakersBody');

/** `infer_roles` may be absent, but not null (specification, section 4.2). */
export const NameInferenceBody = record(
  { target_speaker_ids: Targets },
  { infer_roles: t.boolean, max_credits: nullable(CreditLimit) },
  'NameInferenceBody',
);
export type NameInferenceBody = t.TypeOf<typeof NameInferenceBody>;

/** `audio` is present with `expand=audio`. */
const ListedVideo = t.intersection([VideoRecord, t.partial({ audio: nullable(AudioRecord) })], 'ListedVideo');

export const VideoPage = pageOf('videos', ListedVideo, 'VideoPage');
export const AudioPage = pageOf('audios', AudioRecord, 'AudioPage');

/** `understood` says how a provider document was interpreted. */
export const AnalysisReceipt = record(
  {
    status: ProcessingStatus,
    renumbered: t.readonlyArray(t.strict({ from: NamedId, to: NamedId }, 'Renumbered')),
    discontinued: t.readonlyArray(NamedId),
  },
  { understood: t.UnknownRecord },
  'AnalysisReceipt',
);

export const PersonalityTraits = t.type({ personality_traits: JsonObject }, 'PersonalityTraits');

export const NamedFaces = t.readonlyArray(t.strict({ face_id: FaceId, name: t.string }, 'NamedFace'));

const skipped = t.readonlyArray(NamedId);

export const RenamedSpeakers = t.type(
  { speakers: t.readonlyArray(t.strict({ speaker_id: NamedId, name: t.string })), skipped },
  'RenamedSpeakers',
);

export const SpeakerRoles = t.type(
  { speakers: t.readonlyArray(t.strict({ speaker_id: NamedId, role: nullable(SpeakerRole) })), skipped },
  'SpeakerRoles',
);

const status = t.literal('completed');

export const MergedSpeakers = t.type({ status, from: SpeakerId, into: SpeakerId }, 'MergedSpeakers');
export const DeletedSpeaker = t.type({ status, speaker_id: SpeakerId }, 'DeletedSpeaker');
export const ReplacedTranscript = t.type({ status, utterances: t.number }, 'ReplacedTranscript');

const [tracked, located] = FaceTracks.types;
const FaceEvidence = record({ ...tracked.props, face_id: NamedId }, located.props, 'FaceEvidence');
export const FaceTracksPage = pageOf('faces', FaceEvidence, 'FaceTracksPage');

const Segment = t.strict({ speaker_id: NamedId, start: t.number, end: t.number }, 'Segment');
export const SegmentPage = pageOf('segments', Segment, 'SegmentPage');

const ShownUtterance = t.strict(
  { index: t.number, speaker_id: NamedId, start: t.number, end: t.number, text: t.string },
  'TranscriptUtterance',
);
export const TranscriptPage = pageOf('transcript', ShownUtterance, 'TranscriptPage');

/** The answer to an erasure; `receipt` identifies the event in the log. */
export const ErasedMedium = t.type(
  {
    status: t.literal('erased'),
    erased_at: Timestamp,
    receipt: t.type({ position: t.string, event_id: t.string }),
  },
  'ErasedMedium',
);

const keys = t.readonlyArray(TagKey);

export const WrittenTags = t.type({ status, created: keys, updated: keys, unchanged: keys }, 'WrittenTags');
export const RemovedTag = t.type({ status, key: TagKey }, 'RemovedTag');
export const TagPage = pageOf('tags', TagView, 'TagPage');

export const TagRegistry = t.type({ entries: t.readonlyArray(TagRegistryEntry) }, 'TagRegistry');

const shown = {
  position: t.string,
  revision: t.number,
  event_id: t.string,
  /** Without the version, which is a field of its own. */
  type: t.string,
  version: t.number,
  at: nullable(Timestamp),
  actor: nullable(Actor),
  request_id: nullable(t.string),
  causation_id: nullable(t.string),
  data: t.unknown,
};

/** Why `data` is null: it was erased, or its encryption key is missing. */
const withheld = { erased: t.literal(true), key_missing: t.literal(true) };

/** An event of a record. */
const HistoryEvent = record(shown, withheld, 'HistoryEvent');
export const HistoryPage = pageOf('events', HistoryEvent, 'HistoryPage');

/** An event of the log as it is stored, even if no current codec can decode it. */
const LoggedEvent = record({ ...shown, stream: t.string }, withheld, 'LoggedEvent');
export const LogPage = pageOf('events', LoggedEvent, 'LogPage');

const maxKeyLength = 1_000;

/** Whether the key is valid is checked later, so that it is reported together with all other errors of the tags. */
const TagKeyText = text('TagKeyText', maxKeyLength);

const TagValue = described(
  t.refinement(t.unknown, (value) => value !== undefined && isJsonWithin(value, limits.tag_value), 'TagValue'),
  { description: 'A value of the type set in the tag registry, at most 2 KiB of JSON without spaces.' },
  'a value of the type that the tag registry sets, at most 2 KiB of JSON',
);

const TagList = nonEmpty(
  t.type({ key: TagKeyText, value: TagValue }),
  limits.items,
  'tags',
  'TagList',
  'a list of 1 to 1,000 tags',
);

export const UserTagsBody = record({ tags: TagList }, { dry_run: nullable(t.boolean) }, 'UserTagsBody');

export const ProviderTagsBody = t.intersection([t.type({ source: t.string }), UserTagsBody], 'ProviderTagsBody');

export const TagRegistryBody = record(
  { category: TagCategory, value_type: TagValueType },
  { description: nullable(TitleText) },
  'TagRegistryBody',
);
