import * as t from 'io-ts';
import { DealPerson } from '../../../domain/audio/events.js';
import { SpeakerTurn, Utterance } from '../../../domain/audio/speech.js';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { FaceId, NamedId, SpeakerId } from '../../../domain/kernel/ids.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { JsonObject } from '../../../domain/kernel/json.js';
import { MediaKind, ProcessingStatus, SpeakerRole } from '../../../domain/kernel/media.js';
import { NameText, PersonName } from '../../../domain/kernel/names.js';
import { Caption, TalkingScore } from '../../../domain/video/face-tracks.js';
import { BodyAudioId, BodyVideoId, Targets, Text } from './values.js';
import { type Items, isItems, list, longList, nonEmpty } from './list.js';

/** The most tracks or segments that an analysis may have, and the most utterances that a transcript may have. */
const mostTracks = 1_000_000;
const mostUtterances = 200_000;

const Utterances = longList(Utterance, mostUtterances, 'utterances');

const longestUrl = 2_048;

/** Where people can play a video: an absolute address of http or https. The service never fetches it. */
const MediaUrl = t.refinement(
  t.string,
  (url) => url.length <= longestUrl && /^https?:\/\//i.test(url) && URL.canParse(url),
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

/** Null clears a field, an absent one stays. */
export const VideoDetailsBody = t.partial({ title: nullable(Text), media_url: nullable(MediaUrl) }, 'VideoDetailsBody');
export const AudioDetailsBody = t.partial({ title: nullable(Text) }, 'AudioDetailsBody');

const mostTraits = 10_000;

/** How many more values there may be after those in this one. */
const valuesLeft = (value: unknown, most: number): number => {
  if (typeof value !== 'object' || value === null || most < 0) return most - 1;
  const parts: ReadonlyArray<unknown> = Array.isArray(value) ? value : Object.values(value);
  if (parts.length > most) return -1;
  return parts.reduce<number>((left, part) => (left < 0 ? left : valuesLeft(part, left)), most - 1);
};

/** What was learned of a person. Objects of a great many fields are slow to work with. */
const Traits = t.refinement(JsonObject, (traits) => valuesLeft(traits, mostTraits + 1) >= 0, 'Traits');

const AnalysedFaceBody = t.intersection([
  t.type({ id: FaceId, tracks: longList(Interval, mostTracks, 'tracks') }),
  t.partial({
    name: nullable(NameText),
    personality_traits: nullable(Traits),
    talking: nullable(longList(TalkingScore, mostTracks, 'talking scores')),
    captions: nullable(longList(Caption, mostTracks, 'captions')),
  }),
]);

const lengthOf = (face: unknown, field: string): number => {
  const items: unknown = typeof face === 'object' && face !== null ? Reflect.get(face, field) : null;
  return isItems(items) ? items.length : 0;
};

/** The limit of one face's tracks holds for those of all faces together. */
const fewTracksInAll = (faces: Items<unknown>): string | null => {
  const crowded = ['tracks', 'talking', 'captions'].find(
    (field) => [...faces].reduce<number>((sum, face) => sum + lengthOf(face, field), 0) > mostTracks,
  );
  return crowded === undefined ? null : `a list of faces with at most 1,000,000 ${crowded} in all`;
};

export const VideoAnalysisBody = t.type(
  { status: ProcessingStatus, faces: list(AnalysedFaceBody, 10_000, 'faces', fewTracksInAll) },
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
      segments: longList(SpeakerTurn, mostTracks, 'segments'),
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

/** Unknown speakers are skipped here (section 4.5), so any integer may name one. */
export const SpeakerNamesBody = nonEmpty(
  t.type({ speaker_id: NamedId, name: PersonName }),
  10_000,
  'speakers',
  'SpeakerNamesBody',
);

/** As for names. */
export const SpeakerRolesBody = nonEmpty(
  t.type({ speaker_id: NamedId, role: nullable(SpeakerRole) }),
  10_000,
  'speakers',
  'SpeakerRolesBody',
);

export const MergeSpeakersBody = t.type({ from: SpeakerId, into: SpeakerId }, 'MergeSpeakersBody');

/** `infer_roles` may be left out, but not be null (specification, section 4.2). */
export const NameInferenceBody = t.intersection(
  [t.type({ target_speaker_ids: Targets }), t.partial({ infer_roles: t.boolean })],
  'NameInferenceBody',
);
export type NameInferenceBody = t.TypeOf<typeof NameInferenceBody>;
