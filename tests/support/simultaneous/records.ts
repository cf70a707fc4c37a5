import * as E from 'fp-ts/lib/Either.js';
import { audio } from '../../../domain/audio/decider.js';
import { type RegisteredAudio, lastRenaming } from '../../../domain/audio/state.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { Decider } from '../../../domain/kernel/decider.js';
import type { RecordedEvent } from '../../../domain/kernel/recorded-event.js';
import type { AudioCommand } from '../../../domain/audio/contract.js';
import type { VideoCommand } from '../../../domain/video/contract.js';
import type { AudioFacts } from '../../../domain/video/audio-facts.js';
import { video } from '../../../domain/video/decider.js';
import type { RegisteredVideo } from '../../../domain/video/state.js';
import type { Folded } from '../../../application/stream-cache.js';
import { accountId, at, audioId, faceId, keyId, runId, speakerId, videoId } from '../values.js';

type Recorded = RecordedEvent<DomainEvent>;

/** A video with its audio, without a store: each decides on what it holds, one command after the other. */
export interface Records {
  readonly toVideo: (command: VideoCommand) => ReadonlyArray<Recorded>;
  readonly toAudio: (command: AudioCommand) => ReadonlyArray<Recorded>;
  readonly video: () => Folded<RegisteredVideo>;
  readonly audio: () => Folded<RegisteredAudio>;
  readonly facts: () => AudioFacts;
  /** Every event of both, in the order in which they came. */
  readonly log: ReadonlyArray<Recorded>;
}

const actor = { key_id: keyId('key'), account_id: accountId('owner') };

/** One stream; its log is shared with the other's. */
const record = <Command, State, Event extends DomainEvent, Refusal>(
  decider: Decider<Command, State, Event, Refusal>,
  stream: string,
  log: Array<Recorded>,
) => {
  let state = decider.initial;
  let revision = -1;
  return {
    /** A refused command changes nothing. */
    give: (command: Command): ReadonlyArray<Recorded> => {
      const decision = decider.decide(command, state);
      const events = E.isRight(decision) ? decision.right : [];
      return events.map((event) => {
        state = decider.evolve(state, event);
        revision += 1;
        const recorded: Recorded = {
          position: String(log.length),
          stream,
          revision,
          event_id: `${stream}@${revision}`,
          event,
          metadata: { actor, correlation_id: 'r', causation_id: 'c', schema_version: 1, recorded_at: at(0) },
        };
        log.push(recorded);
        return recorded;
      });
    },
    now: () => ({ state, revision }),
  };
};

const registered = <State extends { readonly _tag: string }, Of extends State & { readonly _tag: 'Registered' }>(
  { state, revision }: Folded<State>,
  is: (state: State) => state is Of,
): Folded<Of> => {
  if (is(state)) return { state, revision };
  throw new Error('not registered');
};

/** Faces 1 and 2 with generated labels, speakers 1 to 3 with others, and an open run that commits. */
export const openRecords = (): Records => {
  const log: Array<Recorded> = [];
  const [ofVideo, ofAudio] = [record(video, 'video-v', log), record(audio, 'audio-a', log)];
  const owned = { owner_id: accountId('owner'), title: null, kind: 'upload' as const };
  const facts = (): AudioFacts => {
    const { state } = ofAudio.now();
    if (state._tag === 'Unregistered') throw new Error('not registered');
    return { status: state.status, speakers: [...state.speakers.values()], renamed_at: lastRenaming(state) };
  };
  ofVideo.give({ type: 'RegisterVideo', video_id: videoId('v'), ...owned, media_url: null, audio_id: audioId('a') });
  ofVideo.give({
    type: 'RecordVideoAnalysis',
    status: 'completed',
    analysis_id: 'first',
    faces: [1, 2].map((id) => ({ face_id: faceId(id), name: null, personality_traits: undefined })),
    tracks: null,
    at: at(-20),
  });
  ofAudio.give({ type: 'RegisterAudio', audio_id: audioId('a'), ...owned, video_id: videoId('v'), deal_persons: [] });
  ofAudio.give({
    type: 'RecordAudioAnalysis',
    status: 'completed',
    analysis_id: 'first',
    speakers: [1, 2, 3].map((id) => ({
      speaker_id: speakerId(id),
      name: `SPEAKER_0${id}`,
      role: undefined,
      synthetic: false,
    })),
    mentioned: [],
    turns: null,
    transcript: null,
    provider_supplied: false,
    speech_segments: null,
  });
  ofVideo.give({
    type: 'QueueMatchRun',
    run_id: runId('run'),
    mode: 'commit',
    target_speaker_ids: null,
    audio: facts(),
    stale_seconds: 900,
    at: at(-10),
  });
  return {
    toVideo: ofVideo.give,
    toAudio: ofAudio.give,
    video: () => registered(ofVideo.now(), (state) => state._tag === 'Registered'),
    audio: () => registered(ofAudio.now(), (state) => state._tag === 'Registered'),
    facts,
    log,
  };
};
