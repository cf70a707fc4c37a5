import * as t from 'io-ts';
import { SpeakerTurn } from '../../../domain/audio/speech.js';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { FaceId, NamedId, SpeakerId } from '../../../domain/kernel/ids.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { JsonObject } from '../../../domain/kernel/json.js';
import { MediaKind, ProcessingStatus, SpeakerRole } from '../../../domain/kernel/media.js';
import { Box, TalkingScore } from '../../../domain/video/face-tracks.js';
import { CreditLimit } from './credits.js';
import {
  BodyAudioId,
  BodyVideoId,
  isJsonWithin,
  limits,
  NameText,
  PersonName,
  ReasonText,
  Targets,
  TitleText,
} from './values.js';
import { list, nonEmpty } from './list.js';

/** What is stored as it comes: only the length is checked. */
const lengthUpTo = (most: number, name: string) =>
  Object.assign(
    t.refinement(t.string, (text) => text.length <= most, name),
    { most },
  );

const Utterance = t.intersection(
  [t.type({ speaker_id: SpeakerId, text: lengthUpTo(limits.utterance, 'UtteranceText') }), Interval],
  'Utterance',
);
const Caption = t.intersection(
  [Interval, t.type({ text: lengthUpTo(limits.caption, 'CaptionText') })],
  'WrittenCaption',
);
const DealPerson = t.type({ person_id: t.string, name: lengthUpTo(limits.name, 'DealPersonName') }, 'DealPerson');

const Utterances = list(Utterance, limits.evidence, 'utterances');

/** The absolute http or https URL at which people can play a video. The service never fetches it. */
const MediaUrl = t.refinement(
  t.string,
  (url) => url.length <= limits.url && /^https?:\/\//i.test(url) && URL.canParse(url),
  'MediaUrl',
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

/** Personality data. */
const Traits = t.refinement(JsonObject, (traits) => isJsonWithin(traits, limits.traits), 'Traits');

const AnalysedFaceBody = t.intersection([
  t.type({ id: FaceId, tracks: list(Interval, limits.evidence, 'tracks') }),
  t.partial({
    name: nullable(NameText),
    personality_traits: nullable(Traits),
    talking: nullable(list(TalkingScore, limits.evidence, 'talking scores')),
    captions: nullable(list(Caption, limits.evidence, 'captions')),
    boxes: nullable(list(Box, limits.evidence, 'boxes')),
  }),
]);

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

export const VideoAnalysisBody = t.intersection(
  [
    t.type({ status: ProcessingStatus, faces: list(AnalysedFaceBody, limits.faces, 'faces', tracksWithinLimit) }),
    t.partial({ align: nullable(t.boolean) }),
  ],
  'VideoAnalysisBody',
);

const AnalysedSpeakerBody = t.intersection([
  t.type({ speaker_id: SpeakerId }),
  t.partial({ name: nullable(NameText), role: nullable(SpeakerRole), synthetic: nullable(t.boolean) }),
]);

export const AudioAnalysisBody = t.intersection(
  [
    t.type({
      status: ProcessingStatus,
      speakers: list(AnalysedSpeakerBody, limits.speakers, 'speakers'),
      segments: list(SpeakerTurn, limits.evidence, 'segments'),
    }),
    t.partial({
      transcript: nullable(Utterances),
      provider_supplied: nullable(t.boolean),
      speech_segments: nullable(ReasonText),
      align: nullable(t.boolean),
    }),
  ],
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
export const NameInferenceBody = t.intersection(
  [t.type({ target_speaker_ids: Targets }), t.partial({ infer_roles: t.boolean, max_credits: nullable(CreditLimit) })],
  'NameInferenceBody',
);
export type NameInferenceBody = t.TypeOf<typeof NameInferenceBody>;
