import type { Erasure } from '../../domain/kernel/erased.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { FollowUp } from './follow-up.js';

/** The audio of an erased video has no parent any more. */
export const ofErasedVideo = ({ linked }: Erasure, video_id: VideoId): ReadonlyArray<FollowUp> =>
  AudioId.is(linked) ? [{ to: 'audio', id: linked, command: { type: 'DetachAudio', video_id } }] : [];

/** The video of an erased audio is told what it is without it, while that can still be known. */
export const ofErasedAudio = ({ linked, at }: Erasure, audio_id: AudioId): ReadonlyArray<FollowUp> =>
  VideoId.is(linked) ? [{ to: 'video', id: linked, command: { type: 'ForgetAudio', audio_id, at } }] : [];
