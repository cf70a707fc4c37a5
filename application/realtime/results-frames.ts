import * as t from 'io-ts';
import { CreditsNumber } from '../../domain/kernel/credits.js';
import { SessionId } from '../../domain/kernel/ids.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';
import { MediaState } from '../../domain/realtime-session/contract.js';
import { engineReports } from '../ports/realtime-engine.js';

/** The fields of every frame. */
const every = { session_id: SessionId, at: Timestamp };
const result = { type: t.literal('result'), seq: t.number };

/** The frames of a results socket, by their names in its description. */
export const resultsFrames = {
  Ready: t.type({ type: t.literal('ready'), balance: CreditsNumber, ...every }, 'Ready'),
  Media: t.type({ type: t.literal('media'), state: t.keyof(MediaState.keys), ...every }, 'Media'),
  VoiceActivity: t.type({ ...result, ...engineReports.voice_activity.props, ...every }, 'VoiceActivity'),
  VideoStats: t.type({ ...result, ...engineReports.video_stats.props, ...every }, 'VideoStats'),
  UsageFrame: t.type(
    { type: t.literal('usage'), credits_charged: CreditsNumber, balance: CreditsNumber, ...every },
    'UsageFrame',
  ),
  Warning: t.type(
    { type: t.literal('warning'), code: t.literal('credits_low'), seconds_left: t.number, ...every },
    'Warning',
  ),
  ErrorFrame: t.intersection(
    [
      t.type({ type: t.literal('error'), error: t.string, code: t.string, retryable: t.boolean, ...every }),
      t.partial({ reason: t.keyof({ balance: null, window: null }), retry_after_seconds: t.number }),
    ],
    'ErrorFrame',
  ),
} as const;

const { Ready, Media, VoiceActivity, VideoStats, UsageFrame, Warning, ErrorFrame } = resultsFrames;

/** A frame as it is sent, with credits as numbers. */
export const ResultsFrameCodec = t.union([Ready, Media, VoiceActivity, VideoStats, UsageFrame, Warning, ErrorFrame]);

/** A frame as it is sent. */
export type SentFrame = t.TypeOf<typeof ResultsFrameCodec>;

type Unsent<Frame> = Frame extends SentFrame ? Omit<Frame, keyof typeof every> : never;

/** A frame of a results socket, before session and time are added. */
export type ResultsFrame = Unsent<SentFrame>;

/** The receiver of a session's results. Its functions must not throw or block. */
export interface ResultsListener {
  readonly send: (frame: SentFrame) => void;
  readonly close: (code: number, reason: string) => void;
}
