import type { EngineReport } from '../../../../application/ports/realtime-engine.js';
import { type AudioTrack, audioTrack } from '../audio/audio-track.js';
import type { OpusDecoders } from '../audio/opus-decoders.js';
import { frameCounter } from '../frame-counter.js';
import type { RtpMedia } from '../rtp.js';

export interface MediaAnalysis {
  /** Prepares for audio; audio packets that arrive before it resolves are ignored. */
  readonly expectAudio: () => Promise<void>;
  /** Sets when the session's media began, unless they have begun here. */
  readonly startFrom: (mediaStart: number) => void;
  /** Adds a packet. `codec`: in lower case, such as `audio/opus`. */
  readonly add: (packet: RtpMedia, codec: string) => void;
  /** Tells the analysis the time; to be called several times a second while the peer is connected. */
  readonly advance: (now: number) => void;
  readonly close: () => void;
}

/** Analyses the packets of one session: voice activity, and how many video frames arrive. */
export const mediaAnalysis = (decoders: OpusDecoders, report: (report: EngineReport) => void): MediaAnalysis => {
  let mediaStart: number | undefined;
  let closed = false;
  let decoder: Awaited<ReturnType<OpusDecoders['borrow']>> | undefined;
  let audio: AudioTrack | undefined;
  const start = (): number => mediaStart ?? 0;
  const video = frameCounter(start, (window) => report({ kind: 'video_stats', ...window }));

  return {
    expectAudio: async () => {
      if (audio !== undefined || closed) return;
      const borrowed = await decoders.borrow();
      if (closed || decoder !== undefined) {
        borrowed.giveBack();
        return;
      }
      decoder = borrowed;
      audio = audioTrack(borrowed.decode, start, (window) => report({ kind: 'voice_activity', ...window }));
    },
    startFrom: (at) => {
      mediaStart ??= at;
    },
    add: (packet, codec) => {
      if (closed) return;
      mediaStart ??= packet.arrivedAt;
      if (codec === 'audio/opus') audio?.add(packet);
      else if (codec.startsWith('video/')) video.add(packet, codec);
    },
    advance: (now) => {
      if (closed) return;
      audio?.advance(now);
      video.advance(now);
    },
    close: () => {
      closed = true;
      decoder?.giveBack();
      decoder = undefined;
    },
  };
};
