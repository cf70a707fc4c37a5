import * as t from 'io-ts';
import type { EventOf } from '../kernel/recorded-event.js';
import { FaceId, VideoId } from '../kernel/ids.js';
import { Interval } from '../kernel/interval.js';
import { Accuracy } from './face.js';

/** An active-speaker score in [0,1] for a time interval. */
export const TalkingScore = t.intersection([Interval, t.type({ score: Accuracy })], 'TalkingScore');
export type TalkingScore = t.TypeOf<typeof TalkingScore>;

/** Text shown on screen near the face. */
export const Caption = t.intersection([Interval, t.type({ text: t.string })], 'Caption');
export type Caption = t.TypeOf<typeof Caption>;

/** A time in seconds from the start of the medium. */
const MediaTime = t.refinement(t.number, (seconds) => Number.isFinite(seconds) && seconds >= 0, 'MediaTime');
const Share = t.refinement(t.number, (share) => share >= 0 && share <= 1, 'Share');

/** Where in the picture a face is at a time: its box, as shares of the picture's width and height. */
export const Box = t.type({ at: MediaTime, left: Share, top: Share, width: Share, height: Share }, 'Box');
export type Box = t.TypeOf<typeof Box>;

/** When a face is visible, its talking scores, captions near it, and where in the picture it is, if that was analysed. */
export const FaceTracks = t.intersection(
  [
    t.type({
      face_id: FaceId,
      tracks: t.readonlyArray(Interval),
      talking: t.readonlyArray(TalkingScore),
      captions: t.readonlyArray(Caption),
    }),
    t.partial({ boxes: t.readonlyArray(Box) }),
  ],
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
