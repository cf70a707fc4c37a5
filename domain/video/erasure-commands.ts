import type { AudioId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';

/** Erases the video for good. */
export interface EraseVideo {
  readonly type: 'EraseVideo';
  readonly at: Timestamp;
}
/** The video's audio is erased: what came from it goes. */
export interface ForgetAudio {
  readonly type: 'ForgetAudio';
  readonly audio_id: AudioId;
  readonly at: Timestamp;
}
