import * as E from 'fp-ts/lib/Either.js';
import { reactionTo } from '../../../application/reactions/table.js';
import type { AudioCommand } from '../../../domain/audio/contract.js';
import { audio } from '../../../domain/audio/decider.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import type { AudioState, RegisteredAudio } from '../../../domain/audio/state.js';
import type { VideoCommand } from '../../../domain/video/contract.js';
import { video } from '../../../domain/video/decider.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { RegisteredVideo, VideoState } from '../../../domain/video/state.js';
import { registerAudio } from '../audio-events.js';
import { accountId, at, audioId, videoId } from '../values.js';

/** A video and its audio, by their deciders, with the reactions of one to the other. */
export class DecidedMedia {
  protected readonly log: { readonly video: VideoEvent[]; readonly audio: AudioEvent[] } = { video: [], audio: [] };
  protected videoState: VideoState = video.initial;
  protected audioState: AudioState = audio.initial;
  private count = 0;
  private seconds = 0;

  constructor() {
    this.tellAudio({ ...registerAudio, video_id: videoId('v') });
    this.tellVideo({
      type: 'RegisterVideo',
      video_id: videoId('v'),
      owner_id: accountId('owner'),
      title: null,
      kind: 'upload',
      media_url: null,
      audio_id: audioId('a'),
    });
  }

  protected now() {
    this.seconds += 1;
    return at(this.seconds);
  }

  protected fresh(): number {
    this.count += 1;
    return this.count;
  }

  protected get video(): RegisteredVideo {
    if (this.videoState._tag !== 'Registered') throw new Error('no video');
    return this.videoState;
  }

  protected get audio(): RegisteredAudio {
    if (this.audioState._tag !== 'Registered') throw new Error('no audio');
    return this.audioState;
  }

  /** Runs the reactions at once, in order. */
  private react(event: VideoEvent | AudioEvent, stream: string, revision: number): void {
    const actor = { key_id: 'key', account_id: 'owner' };
    const ids = { correlation_id: 'r', causation_id: 'c', schema_version: 1, recorded_at: at(this.seconds) };
    const reaction = reactionTo({
      event,
      stream,
      revision,
      position: '0',
      event_id: 'e',
      metadata: { actor, ...ids },
    });
    for (const { to, command } of reaction.follow)
      if (to === 'audios' && command.type === 'FollowFaceMatch') {
        const last = this.video.renumberings.speakers.findLast((one) => one.revision <= command.video_revision);
        this.tellAudio({ ...command, renumbered_at: last?.audio_revision ?? -1 });
      }
    reaction.onVideo.forEach((command) => void this.tellVideo(command));
  }

  protected tellVideo(command: VideoCommand): boolean {
    const decision = video.decide(command, this.videoState);
    if (E.isLeft(decision)) return false;
    for (const event of decision.right) {
      const revision = this.log.video.push(event) - 1;
      this.videoState = video.evolve(this.videoState, event, revision);
      this.react(event, 'video-v', revision);
    }
    return true;
  }

  protected tellAudio(command: AudioCommand): boolean {
    const decision = audio.decide(command, this.audioState);
    if (E.isLeft(decision)) return false;
    for (const event of decision.right) {
      const revision = this.log.audio.push(event) - 1;
      this.audioState = audio.evolve(this.audioState, event, revision);
      this.react(event, 'audio-a', revision);
    }
    return true;
  }
}
