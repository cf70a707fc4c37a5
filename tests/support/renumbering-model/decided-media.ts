import * as E from 'fp-ts/lib/Either.js';
import { reactionTo } from '../../../application/reactions/table.js';
import { audio } from '../../../domain/audio/decider.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import type { Decider } from '../../../domain/kernel/decider.js';
import { video } from '../../../domain/video/decider.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { RegisteredVideo } from '../../../domain/video/state.js';
import { registerAudio } from '../audio-events.js';
import { at, videoId } from '../values.js';
import { registerVideo } from '../video-events.js';

type React = (event: VideoEvent | AudioEvent, stream: string, revision: number) => void;

/** A stream and its state, by the decider. */
const decided = <Command, State, Event extends VideoEvent | AudioEvent, Refusal>(
  decider: Decider<Command, State, Event, Refusal>,
  stream: string,
  react: React,
) => {
  const events: Event[] = [];
  let state = decider.initial;
  return {
    events,
    state: () => state,
    /** Returns whether it was accepted. */
    tell: (command: Command): boolean => {
      const decision = decider.decide(command, state);
      if (E.isLeft(decision)) return false;
      for (const event of decision.right) {
        const revision = events.push(event) - 1;
        state = decider.evolve(state, event, revision);
        react(event, stream, revision);
      }
      return true;
    },
  };
};

const registered = <State extends { readonly _tag: string }>(state: State): Extract<State, { _tag: 'Registered' }> => {
  const isRegistered = (one: State): one is Extract<State, { _tag: 'Registered' }> => one._tag === 'Registered';
  if (!isRegistered(state)) throw new Error('not registered');
  return state;
};

const actor = { key_id: 'key', account_id: 'owner' };
const ids = { correlation_id: 'r', causation_id: 'c', schema_version: 1 };

/** A video and its audio, by their deciders, with the reactions of one to the other, which are run at once and in order. */
export const decidedMedia = () => {
  let seconds = 0;
  const react: React = (event, stream, revision) => {
    const metadata = { actor, ...ids, recorded_at: at(seconds) };
    const { follow, onVideo } = reactionTo({ event, stream, revision, position: '0', event_id: 'e', metadata });
    for (const { to, command } of follow)
      if (to === 'audios' && command.type === 'FollowFaceMatch') {
        const { speakers } = videoNow().renumberings;
        const last = speakers.findLast((one) => one.revision <= command.video_revision);
        ofAudio.tell({ ...command, renumbered_at: last?.audio_revision ?? -1 });
      }
    onVideo.forEach((command) => void ofVideo.tell(command));
  };
  const ofVideo = decided(video, 'video-v', react);
  const ofAudio = decided(audio, 'audio-a', react);
  const videoNow = (): RegisteredVideo => registered(ofVideo.state());
  const audioNow = (): RegisteredAudio => registered(ofAudio.state());
  ofAudio.tell({ ...registerAudio, video_id: videoId('v') });
  ofVideo.tell(registerVideo);
  return { ofVideo, ofAudio, videoNow, audioNow, now: () => at((seconds += 1)) };
};
