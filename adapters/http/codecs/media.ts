import * as t from 'io-ts';
import { DealPerson } from '../../../domain/audio/events.js';
import { SpeakerTurn, Utterance } from '../../../domain/audio/speech.js';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { FaceId, NamedId, SpeakerId } from '../../../domain/kernel/ids.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { JsonObject } from '../../../domain/kernel/json.js';
import { MediaKind, ProcessingStatus, SpeakerRole } from '../../../domain/kernel/media.js';
import { NameText, PersonName } from '../../../domain/kernel/names.js';
import { Box, Caption, TalkingScore } from '../../../domain/video/face-tracks.js';
import { CreditLimit } from './credits.js';
import { BodyAudioId, BodyVideoId, Targets, Text } from './values.js';
import { type Items, isItems, list, longList, nonEmpty } from './list.js';

/** The maximum number of tracks or segments of an analysis, and of utterances of a transcript. */
const maxTracks = 1_000_000;
const maxUtterances = 200_000;
const maxBoxes = 200_000;

const Utterances = longList(Utterance, maxUtterances, 'utterances');

const maxUrlLength = 2_048;

/** The absolute http or https URL at which people can play a video. The service never fetches it. */
const MediaUrl = t.refinement(
  t.string,
  (url) => url.length <= maxUrlLength && /^https?:\/\//i.test(url) && URL.canParse(url),
  'MediaUrl',
);

export const RegisterVideoBody = t.partial(
  {
    video_id: nullable(BodyVideoId),
    title: nullable(Text),
    kind: nullable(MediaKind),
    media_url: nullable(MediaUrl),
    audio_id: nullable(BodyAudioId),
  },
  'RegisterVideoBody',
);

export const RegisterAudioBody = t.partial(
  {
    audio_id: nullable(BodyAudioId),
    title: nullable(Text),
    video_id: nullable(BodyVideoId),
    kind: nullable(MediaKind),
    deal_persons: nullable(list(DealPerson, 1_000, 'deal persons')),
  },
  'RegisterAudioBody',
);

/** Null clears a field; an absent field is not changed. */
export const VideoDetailsBody = t.partial({ title: nullable(Text), media_url: nullable(MediaUrl) }, 'VideoDetailsBody');
export const AudioDetailsBody = t.partial({ title: nullable(Text) }, 'AudioDetailsBody');

const maxTraits = 10_000;

/** How many more values are allowed after those in `value`; negative if there are too many. */
const valuesLeft = (value: unknown, most: number): number => {
  if (typeof value !== 'object' || value === null || most < 0) return most - 1;
  const parts: ReadonlyArray<unknown> = Array.isArray(value) ? value : Object.values(value);
  if (parts.length > most) return -1;
  return parts.reduce<number>((left, part) => (left < 0 ? left : valuesLeft(part, left)), most - 1);
};

/** Personality data. Limited because objects with very many fields are slow. */
const Traits = t.refinement(JsonObject, (traits) => valuesLeft(traits, maxTraits + 1) >= 0, 'Traits');

const AnalysedFaceBody = t.intersection([
  t.type({ id: FaceId, tracks: longList(Interval, maxTracks, 'tracks') }),
  t.partial({
    name: nullable(NameText),
    personality_traits: nullable(Traits),
    talking: nullable(longList(TalkingScore, maxTracks, 'talking scores')),
    captions: nullable(longList(Caption, maxTracks, 'captions')),
    boxes: nullable(longList(Box, maxBoxes, 'boxes')),
  }),
]);

const lengthOf = (face: unknown, field: string): number => {
  const items: unknown = typeof face === 'object' && face !== null ? Reflect.get(face, field) : null;
  return isItems(items) ? items.length : 0;
};

/** The limit for the tracks of one face also applies to all faces together. */
const tracksWithinLimit = (faces: Items<unknown>): string | null => {
  const most = { tracks: maxTracks, talking: maxTracks, captions: maxTracks, boxes: maxBoxes };
  const crowded = Object.entries(most).find(
    ([field, limit]) => [...faces].reduce<number>((sum, face) => sum + lengthOf(face, field), 0) > limit,
  );
  return crowded === undefined
    ? null
    : `a list of faces with at most ${crowded[1].toLocaleString('en-US')} ${crowded[0]} in total`;
};

export const VideoAnalysisBody = t.type(
  { status: ProcessingStatus, faces: list(AnalysedFaceBody, 10_000, 'faces', tracksWithinLimit) },
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
      speakers: list(AnalysedSpeakerBody, 10_000, 'speakers'),
      segments: longList(SpeakerTurn, maxTracks, 'segments'),
    }),
    t.partial({
      transcript: nullable(Utterances),
      provider_supplied: nullable(t.boolean),
      speech_segments: nullable(Text),
    }),
  ],
  'AudioAnalysisBody',
);

export const PersonalityTraitsBody = t.type({ personality_traits: Traits }, 'PersonalityTraitsBody');

export const TranscriptBody = t.type({ transcript: Utterances }, 'TranscriptBody');

export const FaceNamesBody = nonEmpty(t.type({ face_id: FaceId, name: PersonName }), 10_000, 'faces', 'FaceNamesBody');

/** Unknown speakers are skipped (section 4.5), so any integer is accepted. */
export const SpeakerNamesBody = nonEmpty(
  t.type({ speaker_id: NamedId, name: PersonName }),
  10_000,
  'speakers',
  'SpeakerNamesBody',
);

export const SpeakerRolesBody = nonEmpty(
  t.type({ speaker_id: NamedId, role: nullable(SpeakerRole) }),
  10_000,
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
