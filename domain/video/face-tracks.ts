import * as t from 'io-ts';
import type { EventOf } from '../kernel/event-codecs.js';
import { FaceId, VideoId } from '../kernel/ids.js';
import { Interval } from '../kernel/interval.js';
import { Accuracy } from './face.js';

/** An active-speaker score in [0,1] for a time interval. */
export const TalkingScore = t.intersection([Interval, t.type({ score: Accuracy })], 'TalkingScore');
export type TalkingScore = t.TypeOf<typeof TalkingScore>;

/** Text shown on screen near the face. */
export const Caption = t.intersection([Interval, t.type({ text: t.string })], 'Caption');
export type Caption = t.TypeOf<typeof Caption>;

/** When a face is visible, its talking scores, and captions near it. */
export const FaceTracks = t.type(
  {
    face_id: FaceId,
    tracks: t.readonlyArray(Interval),
    talking: t.readonlyArray(TalkingScore),
    captions: t.readonlyArray(Caption),
  },
  'FaceTracks',
);
export type FaceTracks = t.TypeOf<typeof FaceTracks>;

/**
 * Events of the video's `faceTracks` stream: large evidence data, split into parts. A face may continue in the next
 * part.
 */
export const faceTracksEvents = {
  FaceTracksRecorded: t.type({
    video_id: VideoId,
    analysis_id: t.string,
    part: t.number,
    parts: t.number,
    faces: t.readonlyArray(FaceTracks),
  }),
} as const;
export type FaceTracksEvent = EventOf<typeof faceTracksEvents>;
