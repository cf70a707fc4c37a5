import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { reactionTo } from '../../application/reactions/table.js';
import { factsOf } from '../../application/use-cases/videos/change-video.js';
import { audio } from '../../domain/audio/decider.js';
import type { AudioEvent } from '../../domain/audio/events.js';
import { audioChangesOf } from '../../domain/audio/reversible-changes.js';
import { type RegisteredAudio, comparedState as comparedSpeakers } from '../../domain/audio/state.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { type Presence, continuations } from '../../domain/matching/continuations.js';
import { merged } from '../../domain/matching/intervals.js';
import { video } from '../../domain/video/decider.js';
import type { VideoEvent } from '../../domain/video/events.js';
import { videoChangesOf } from '../../domain/video/reversible-changes.js';
import { type RegisteredVideo, comparedState as comparedFaces } from '../../domain/video/state.js';
import { registerAudio } from '../support/audio-events.js';
import { shortOrLong } from '../support/long-form.js';
import { registeredIn } from '../support/specification.js';
import { at, videoId, faceId, personName, runId, speakerId } from '../support/values.js';
import { registerVideo } from '../support/video-events.js';

/*
 * Voices and faces are told apart by time alone: voice n speaks in the seconds from 10 n, and so is face n seen. Analyses
 * number those that they find as they like, with blurred edges. Whoever is not found begins anew: a voice with a number
 * is an identity of its own until an analysis leaves it out.
 */

const body = fc.nat(3);
const share = fc.integer({ min: 0, max: 3 });
const numbers = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 4 });
const found = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
const analysis = { numbers, found, blur: share, stated: fc.boolean() };
const does = <Do extends string>(what: Do): fc.Arbitrary<Do> => fc.constant(what);

const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: does('analyse voices'), ...analysis }) },
  { weight: 2, arbitrary: fc.record({ do: does('analyse faces'), ...analysis }) },
  { weight: 2, arbitrary: fc.record({ do: does('name voice'), voice: body }) },
  fc.record({ do: does('name face'), face: body }),
  { weight: 3, arbitrary: fc.record({ do: does('match'), face: body, voice: body, named: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: does('reject'), face: body, voice: body }) },
  fc.record({ do: does('queue') }),
  { weight: 2, arbitrary: fc.record({ do: does('answer'), face: body, voice: body }) },
  { weight: 2, arbitrary: fc.record({ do: does('undo'), ago: fc.nat(5), of: fc.constantFrom('video', 'audio') }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Of> ? Of : never;

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

const actor = { key_id: 'key', account_id: 'owner' };
const ids = { correlation_id: 'r', causation_id: 'c', schema_version: 1 };

/** A video and its audio, by their deciders, with the reactions of one to the other, which are run at once and in order. */
const decidedMedia = () => {
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
  const videoNow = (): RegisteredVideo => registeredIn(ofVideo.state());
  const audioNow = (): RegisteredAudio => registeredIn(ofAudio.state());
  ofAudio.tell({ ...registerAudio, video_id: videoId('v') });
  ofVideo.tell(registerVideo);
  return { ofVideo, ofAudio, videoNow, audioNow, now: () => at((seconds += 1)) };
};

type StepOf<Do extends Step['do']> = Extract<Step, { readonly do: Do }>;

/** Who was found by the last analysis. Identities are unique numbers: whoever was absent has a new one. */
interface Found<Id extends number> {
  /** The identity of each number. */
  readonly numbers: ReadonlyMap<Id, number>;
  /** The number of each body. */
  readonly bodies: ReadonlyMap<number, Id>;
  /** When each is heard or seen. */
  readonly presence: ReadonlyArray<Presence<Id>>;
}

const nobody = { numbers: new Map(), bodies: new Map(), presence: [] };

interface Somebody<Id extends number> {
  readonly id: Id;
  readonly who: string;
}

const somebody = <Id extends number>(
  kind: string,
  { numbers, bodies }: Found<Id>,
  body: number,
): Somebody<Id> | null => {
  const id = bodies.get(body);
  return id === undefined ? null : { id, who: `${kind} ${numbers.get(id)}` };
};

/** A video and its audio, and what really was given to whom. */
const recording = () => {
  const { ofVideo, ofAudio, videoNow, audioNow, now } = decidedMedia();
  let voices: Found<ReturnType<typeof speakerId>> = nobody;
  let faces: Found<ReturnType<typeof faceId>> = nobody;
  let queued: { readonly run_id: RunId; readonly voices: typeof voices; readonly faces: typeof faces } | null = null;
  const namesOf = new Map<string, Set<string>>();
  const [matched, rejected] = [new Set<string>(), new Set<string>()];
  let count = 0;
  const fresh = (): number => (count += 1);
  const give = (who: string, name: string): void =>
    void namesOf.set(who, (namesOf.get(who) ?? new Set<string>()).add(name));

  /** Whom an analysis finds. */
  const found = <Id extends number>(
    { found, numbers, blur }: StepOf<'analyse voices' | 'analyse faces'>,
    before: Found<Id>,
    idOf: (n: number) => Id,
  ): Found<Id> => {
    const bodies = [0, 1, 2, 3].filter((body) => found[body]).map((body) => [body, idOf(numbers[body] ?? 0)] as const);
    const identity = (body: number): number => {
      const known = before.bodies.get(body);
      return (known === undefined ? undefined : before.numbers.get(known)) ?? fresh();
    };
    return {
      numbers: new Map(bodies.map(([body, id]) => [id, identity(body)])),
      bodies: new Map(bodies),
      presence: bodies.map(([body, id]) => ({
        id,
        present: merged([
          { start: body * 10 + blur, end: body * 10 + 10 },
          { start: ((body + 1) % 4) * 10, end: ((body + 1) % 4) * 10 + blur },
        ]),
      })),
    };
  };

  /** The name that an analysis states for an identity; null for none. */
  const stated = (kind: string, identity: number, { stated }: StepOf<'analyse voices' | 'analyse faces'>) => {
    if (!stated) return null;
    give(`${kind} ${identity}`, `stated ${identity}`);
    return `stated ${identity}`;
  };

  const accepted = (isAccepted: boolean): void => {
    if (!isAccepted) throw new Error('an analysis was refused');
  };

  const analyseVoices = (step: StepOf<'analyse voices'>): void => {
    const next = found(step, voices, speakerId);
    accepted(
      ofAudio.tell({
        type: 'RecordAudioAnalysis',
        status: 'completed',
        analysis_id: `analysis ${fresh()}`,
        speakers: [...next.numbers].map(([speaker_id, identity]) => ({
          speaker_id,
          name: stated('voice', identity, step),
          role: undefined,
          synthetic: false,
        })),
        mentioned: [],
        turns: { first_revision: 0, parts: 1 },
        transcript: null,
        keeps_transcript: true,
        provider_supplied: false,
        speech_segments: null,
        alignment: {
          comparedWith: comparedSpeakers(audioNow()),
          continued: continuations(voices.presence, next.presence),
        },
      }),
    );
    voices = next;
  };

  const analyseFaces = (step: StepOf<'analyse faces'>): void => {
    const next = found(step, faces, faceId);
    accepted(
      ofVideo.tell({
        type: 'RecordVideoAnalysis',
        status: 'completed',
        analysis_id: `analysis ${fresh()}`,
        faces: [...next.numbers].map(([face_id, identity]) => ({
          face_id,
          name: stated('face', identity, step),
          personality_traits: undefined,
        })),
        tracks: { first_revision: 0, parts: 1 },
        alignment: { comparedWith: comparedFaces(videoNow()), continued: continuations(faces.presence, next.presence) },
        at: now(),
      }),
    );
    faces = next;
  };

  const audio = () => factsOf(ofAudio.state());

  const match = (step: StepOf<'match' | 'reject'>): void => {
    const [face, voice] = [somebody('face', faces, step.face), somebody('voice', voices, step.voice)];
    if (face === null || voice === null) return;
    const ids = { face_id: face.id, speaker_id: voice.id };
    const pair = `${face.who} ${voice.who}`;
    if (step.do === 'reject') {
      rejected.add(pair);
      const decisions = [{ ...ids, verdict: 'rejected' as const }];
      ofVideo.tell({ type: 'DecideLinks', decisions, audio: audio(), at: now() });
      return;
    }
    const name = step.named ? `name ${fresh()}` : null;
    if (name !== null) [face.who, voice.who].forEach((who) => give(who, name));
    matched.add(pair);
    ofVideo.tell({ type: 'MatchFaces', mappings: [{ ...ids, name }], audio: audio(), at: now() });
  };

  /** The answer uses the numbers of when the run was queued. */
  const answer = (step: StepOf<'answer'>): void => {
    if (queued === null) return;
    const [voice] = [...queued.voices.numbers].slice(step.voice);
    const [face] = [...queued.faces.numbers].slice(step.face);
    const { run_id } = queued;
    queued = null;
    if (voice === undefined || face === undefined) return;
    matched.add(`face ${face[1]} voice ${voice[1]}`);
    const match = { face_id: face[0], speaker_id: voice[0], accuracy: 0.5, evidence: {} };
    ofVideo.tell({
      type: 'ReceiveWriteBack',
      run_id,
      unattributed_run_id: runId('u'),
      answer: { status: 'completed', matches: [{ ...match, channel: 'co_occurrence' }], unmatched_speakers: [] },
      video_revision: null,
      audio: audio(),
      stale_seconds: 900,
      at: now(),
    });
  };

  const undo = ({ ago, of }: StepOf<'undo'>): void => {
    const cause = { kind: 'request' as const };
    const asked = { position: '0', change_id: 'c', cause, other: null, changed_since: [], at: now() };
    const { events } = of === 'audio' ? ofAudio : ofVideo;
    const revision = events.length - 1 - ago;
    if (revision < 0) return;
    if (of === 'audio') {
      const changes = audioChangesOf(ofAudio.events.slice(revision, revision + 1));
      ofAudio.tell({ type: 'RevertAudioChange', ...asked, changes, revision });
    } else {
      const changes = videoChangesOf(ofVideo.events.slice(revision, revision + 1));
      ofVideo.tell({ type: 'RevertVideoChange', ...asked, audio: audio(), run_id: null, changes, revision });
    }
  };

  const perform = (step: Step): void => {
    switch (step.do) {
      case 'analyse voices':
        return analyseVoices(step);
      case 'analyse faces':
        return analyseFaces(step);
      case 'name voice': {
        const voice = somebody('voice', voices, step.voice);
        if (voice === null) return;
        const name = personName(`name ${fresh()}`);
        give(voice.who, name);
        ofAudio.tell({ type: 'RenameSpeakers', speakers: [{ speaker_id: voice.id, name }], at: now() });
        return;
      }
      case 'name face': {
        const face = somebody('face', faces, step.face);
        if (face === null) return;
        const name = personName(`name ${fresh()}`);
        give(face.who, name);
        ofVideo.tell({ type: 'RenameFaces', faces: [{ face_id: face.id, name }], at: now() });
        return;
      }
      case 'match':
      case 'reject':
        return match(step);
      case 'queue': {
        const run_id = runId(`run-${fresh()}`);
        const facts = { audio: audio(), target_speaker_ids: null, stale_seconds: 0 };
        if (ofVideo.tell({ type: 'QueueMatchRun', run_id, mode: 'commit', ...facts, at: now() }))
          queued = { run_id, voices, faces };
        return;
      }
      case 'answer':
        return answer(step);
      case 'undo':
        return undo(step);
    }
  };

  const isGiven = (who: string, name: string): boolean => namesOf.get(who)?.has(name) === true;
  const voicesMatchedTo = (face: string): ReadonlyArray<string> =>
    [...matched].flatMap((pair) => (pair.startsWith(`${face} voice`) ? [pair.slice(face.length + 1)] : []));

  /** Compared by time: what anybody has was given to them, and to nobody else. Says what is not so. */
  const faults = (): ReadonlyArray<string> => {
    const wrong: string[] = [];
    for (const { speaker_id, name } of audioNow().speakers.values()) {
      const who = `voice ${voices.numbers.get(speaker_id)}`;
      if (name !== null && !isGiven(who, name)) wrong.push(`${who} is called ${name}`);
    }
    const video = videoNow();
    for (const { face_id, name, speaker_id } of video.faces.values()) {
      const who = `face ${faces.numbers.get(face_id)}`;
      const pair = speaker_id === null ? null : `${who} voice ${voices.numbers.get(speaker_id)}`;
      if (pair !== null && !matched.has(pair)) wrong.push(`matched: ${pair}`);
      const isOwn = name === null || name === `Face ${face_id}` || isGiven(who, name);
      if (!isOwn && !voicesMatchedTo(who).some((voice) => isGiven(voice, name))) wrong.push(`${who} is called ${name}`);
    }
    for (const [speaker_id, ruledOut] of video.ruled_out)
      for (const face_id of ruledOut) {
        const pair = `face ${faces.numbers.get(face_id ?? faceId(0))} voice ${voices.numbers.get(speaker_id)}`;
        if (face_id === null || !rejected.has(pair)) wrong.push(`rejected: ${pair}`);
      }
    return wrong;
  };
  return { perform, faults };
};

/** An analysis that finds everybody. */
const first = { numbers: [0, 1, 2, 3], found: [true, true, true, true], blur: 0, stated: false };

describe('names, matches and decisions, over analyses that number as they like', function () {
  this.timeout(3_600_000);

  it('are never on a voice or face that nobody gave them to', () =>
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 4, maxLength: 16 }), (steps) => {
        const { perform, faults } = recording();
        perform({ do: 'analyse faces', ...first });
        perform({ do: 'analyse voices', ...first });
        for (const step of steps) {
          perform(step);
          const found = faults();
          if (found.length > 0) expect(found).to.deep.equal([]);
        }
      }),
      { numRuns: shortOrLong(2_000, 100_000) },
    ));
});
