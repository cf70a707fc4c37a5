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
import { BodyAudioId, BodyVideoId } from './body-ids.js';
import { Text, nonEmpty } from './non-empty.js';

export const RegisterVideoBody = t.partial(
  { video_id: BodyVideoId, title: nullable(Text), kind: MediaKind, audio_id: nullable(BodyAudioId) },
  'RegisterVideoBody',
);

export const RegisterAudioBody = t.partial(
  {
    audio_id: BodyAudioId,
    title: nullable(Text),
    video_id: nullable(BodyVideoId),
    kind: MediaKind,
    deal_persons: t.readonlyArray(DealPerson),
  },
  'RegisterAudioBody',
);

const AnalysedFaceBody = t.intersection([
  t.type({ id: FaceId, tracks: t.readonlyArray(Interval) }),
  t.partial({
    name: nullable(NameText),
    personality_traits: nullable(JsonObject),
    talking: t.readonlyArray(TalkingScore),
    captions: t.readonlyArray(Caption),
  }),
]);

export const VideoAnalysisBody = t.type(
  { status: ProcessingStatus, faces: t.readonlyArray(AnalysedFaceBody) },
  'VideoAnalysisBody',
);

const AnalysedSpeakerBody = t.intersection([
  t.type({ speaker_id: SpeakerId }),
  t.partial({ name: nullable(NameText), role: nullable(SpeakerRole), synthetic: t.boolean }),
]);

export const AudioAnalysisBody = t.intersection(
  [
    t.type({
      status: ProcessingStatus,
      speakers: t.readonlyArray(AnalysedSpeakerBody),
      segments: t.readonlyArray(SpeakerTurn),
    }),
    t.partial({
      transcript: nullable(t.readonlyArray(Utterance)),
      provider_supplied: t.boolean,
      speech_segments: nullable(Text),
    }),
  ],
  'AudioAnalysisBody',
);

export const PersonalityTraitsBody = t.type({ personality_traits: JsonObject }, 'PersonalityTraitsBody');

export const TranscriptBody = t.type({ transcript: t.readonlyArray(Utterance) }, 'TranscriptBody');

export const FaceNamesBody = nonEmpty(t.type({ face_id: FaceId, name: PersonName }));

/** Unknown speakers are skipped here (section 4.5), so any integer may name one. */
export const SpeakerNamesBody = nonEmpty(t.type({ speaker_id: NamedId, name: PersonName }));

/** As for names. */
export const SpeakerRolesBody = nonEmpty(t.type({ speaker_id: NamedId, role: nullable(SpeakerRole) }));

export const MergeSpeakersBody = t.type({ from: SpeakerId, into: SpeakerId }, 'MergeSpeakersBody');
