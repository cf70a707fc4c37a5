import type { EngineReport } from '../../../../application/ports/realtime-engine.js';
import { type AudioTrack, audioTrack } from '../audio/audio-track.js';
import type { OpusDecoders } from '../audio/opus-decoders.js';
import type { RtpMedia } from '../rtp.js';
import { frameCounter } from '../video/frame-counter.js';

export interface MediaAnalysis {
  /** Gets ready for sound; packets before that are not heard. */
  readonly expectAudio: () => Promise<void>;
  /** Takes a packet of a codec, such as `audio/opus`, in small letters. */
  readonly take: (packet: RtpMedia, codec: string) => void;
  /** Lets time pass; to be called several times a second while the peer is connected. */
  readonly pass: (now: number) => void;
  readonly close: () => void;
}

/** What a session's media is like, from its packets. */
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
      const lent = await decoders.borrow();
      if (closed || decoder !== undefined) {
        lent.giveBack();
        return;
      }
      decoder = lent;
      audio = audioTrack(lent.decode, start, (window) => report({ kind: 'voice_activity', ...window }));
    },
    take: (packet, codec) => {
      if (closed) return;
      mediaStart ??= packet.arrivedAt;
      if (codec === 'audio/opus') audio?.take(packet);
      else if (codec.startsWith('video/')) video.take(packet, codec);
    },
    pass: (now) => {
      if (closed) return;
      audio?.pass(now);
      video.pass(now);
    },
    close: () => {
      closed = true;
      decoder?.giveBack();
      decoder = undefined;
    },
  };
};
