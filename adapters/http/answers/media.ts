import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { FaceId, NamedId, SpeakerId } from '../../../domain/kernel/ids.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { JsonObject } from '../../../domain/kernel/json.js';
import { ProcessingStatus, SpeakerRole } from '../../../domain/kernel/media.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { Box, Caption, TalkingScore } from '../../../domain/video/face-tracks.js';
import { AudioRecord, VideoRecord } from '../../../projections/views.js';
import { pageOf } from './page.js';
import { TagRegistryEntry } from '../../../domain/tag-registry/contract.js';
import { TagKey } from '../../../domain/tag-registry/tag.js';
import { TagView } from '../../../projections/tag-views.js';

/** `audio` is present with `expand=audio`. */
const ListedVideo = t.intersection([VideoRecord, t.partial({ audio: nullable(AudioRecord) })], 'ListedVideo');

export const VideoPage = pageOf('videos', ListedVideo, 'VideoPage');
export const AudioPage = pageOf('audios', AudioRecord, 'AudioPage');

/** `understood` says how a provider document was interpreted. */
export const AnalysisReceipt = t.intersection(
  [
    t.type({
      status: ProcessingStatus,
      renumbered: t.readonlyArray(t.type({ from: NamedId, to: NamedId }, 'Renumbered')),
      discontinued: t.readonlyArray(NamedId),
    }),
    t.partial({ understood: t.UnknownRecord }),
  ],
  'AnalysisReceipt',
);

export const PersonalityTraits = t.type({ personality_traits: JsonObject }, 'PersonalityTraits');

export const NamedFaces = t.readonlyArray(t.type({ face_id: FaceId, name: t.string }, 'NamedFace'));

const skipped = t.readonlyArray(NamedId);

export const RenamedSpeakers = t.type(
  { speakers: t.readonlyArray(t.type({ speaker_id: NamedId, name: t.string })), skipped },
  'RenamedSpeakers',
);

export const SpeakerRoles = t.type(
  { speakers: t.readonlyArray(t.type({ speaker_id: NamedId, role: nullable(SpeakerRole) })), skipped },
  'SpeakerRoles',
);

const status = t.literal('completed');

export const MergedSpeakers = t.type({ status, from: SpeakerId, into: SpeakerId }, 'MergedSpeakers');
export const DeletedSpeaker = t.type({ status, speaker_id: SpeakerId }, 'DeletedSpeaker');
export const ReplacedTranscript = t.type({ status, utterances: t.number }, 'ReplacedTranscript');

const next_cursor = nullable(t.string);

export const FaceTracksPage = t.type(
  {
    faces: t.readonlyArray(
      t.intersection(
        [
          t.type({
            face_id: NamedId,
            tracks: t.readonlyArray(Interval),
            talking: t.readonlyArray(TalkingScore),
            captions: t.readonlyArray(Caption),
          }),
          t.partial({ boxes: t.readonlyArray(Box) }),
        ],
        'FaceEvidence',
      ),
    ),
    next_cursor,
  },
  'FaceTracksPage',
);

export const SegmentPage = t.type(
  {
    segments: t.readonlyArray(t.type({ speaker_id: NamedId, start: t.number, end: t.number }, 'Segment')),
    next_cursor,
  },
  'SegmentPage',
);

export const TranscriptPage = t.type(
  {
    transcript: t.readonlyArray(
      t.type(
        { index: t.number, speaker_id: NamedId, start: t.number, end: t.number, text: t.string },
        'TranscriptUtterance',
      ),
    ),
    next_cursor,
  },
  'TranscriptPage',
);

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
