import { factsOf } from '../../../application/use-cases/videos/change-video.js';
import { audioChangesOf } from '../../../domain/audio/revert-change.js';
import { comparedState as comparedSpeakers } from '../../../domain/audio/state.js';
import type { FaceId, RunId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { Alignment } from '../../../domain/kernel/renumbering.js';
import { type Presence, continuations } from '../../../domain/matching/continuations.js';
import { merged } from '../../../domain/matching/intervals.js';
import { videoChangesOf } from '../../../domain/video/reversible-changes.js';
import { comparedState as comparedFaces } from '../../../domain/video/state.js';
import { faceId, personName, runId, speakerId } from '../values.js';
import { DecidedMedia } from './decided-media.js';
import type { Step } from './steps.js';

/** Who has which number now. Identities are unique numbers. */
type Numbers = ReadonlyMap<number, number>;

interface Queued {
  readonly run_id: RunId;
  readonly voices: Numbers;
  readonly faces: Numbers;
}

/** A video and its audio, and what really was given to whom. */
export class Recording extends DecidedMedia {
  private voices = new Map<number, number>();
  private faces = new Map<number, number>();
  /** The identities of the bodies that the last analysis found. */
  private voiceBodies = new Map<number, number>();
  private faceBodies = new Map<number, number>();
  private heard: ReadonlyArray<Presence<SpeakerId>> = [];
  private seen: ReadonlyArray<Presence<FaceId>> = [];
  private queued: Queued | null = null;
  private readonly namesOf = new Map<string, Set<string>>();
  private readonly matched = new Set<string>();
  private readonly rejected = new Set<string>();

  private give(whom: string, name: string): void {
    const names = this.namesOf.get(whom) ?? new Set();
    this.namesOf.set(whom, names.add(name));
  }

  /** The numbers of an analysis by identity, and when each is heard or seen. Whoever was absent has a new identity. */
  private numbered<Id extends number>(
    step: Extract<Step, { readonly blur: number }>,
    idOf: (n: number) => Id,
    bodies: ReadonlyMap<number, number>,
  ): {
    readonly numbers: Map<number, number>;
    readonly presence: ReadonlyArray<Presence<Id>>;
    bodies: Map<number, number>;
  } {
    const next = new Map<number, number>();
    const nextBodies = new Map<number, number>();
    const presence: Presence<Id>[] = [];
    for (const body of [0, 1, 2, 3]) {
      if (step.found[body] !== true) continue;
      const number = step.numbers[body] ?? 0;
      const identity = bodies.get(body) ?? this.fresh();
      next.set(number, identity);
      nextBodies.set(body, identity);
      presence.push({
        id: idOf(number),
        present: merged([
          { start: body * 10 + step.blur, end: body * 10 + 10 },
          { start: ((body + 1) % 4) * 10, end: ((body + 1) % 4) * 10 + step.blur },
        ]),
      });
    }
    return { numbers: next, presence, bodies: nextBodies };
  }

  private numberOf(numbers: Numbers, bodies: ReadonlyMap<number, number>, body: number): number | null {
    const identity = bodies.get(body);
    const entry = [...numbers].find(([, one]) => one === identity);
    return identity === undefined ? null : (entry?.[0] ?? null);
  }

  private voice(body: number): { readonly id: SpeakerId; readonly who: string } | null {
    const id = this.numberOf(this.voices, this.voiceBodies, body);
    return id === null ? null : { id: speakerId(id), who: `voice ${this.voices.get(id)}` };
  }

  private face(body: number): { readonly id: FaceId; readonly who: string } | null {
    const id = this.numberOf(this.faces, this.faceBodies, body);
    return id === null ? null : { id: faceId(id), who: `face ${this.faces.get(id)}` };
  }

  private analyseVoices(step: Extract<Step, { do: 'analyse voices' }>): void {
    const { numbers: next, presence, bodies } = this.numbered(step, speakerId, this.voiceBodies);
    const alignment: Alignment<SpeakerId> = {
      comparedWith: comparedSpeakers(this.audio),
      continued: continuations(this.heard, presence),
    };
    const isNew = this.tellAudio({
      type: 'RecordAudioAnalysis',
      status: 'completed',
      analysis_id: `analysis ${this.fresh()}`,
      speakers: [...next].map(([id, identity]) => {
        const name = step.stated ? `stated ${identity}` : null;
        if (name !== null) this.give(`voice ${identity}`, name);
        return { speaker_id: speakerId(id), name, role: undefined, synthetic: false };
      }),
      mentioned: [],
      turns: { first_revision: 0, parts: 1 },
      transcript: null,
      keeps_transcript: true,
      provider_supplied: false,
      speech_segments: null,
      alignment,
    });
    if (!isNew) throw new Error('an analysis was refused');
    this.voices = next;
    this.voiceBodies = bodies;
    this.heard = presence;
  }

  private analyseFaces(step: Extract<Step, { do: 'analyse faces' }>): void {
    const { numbers: next, presence, bodies } = this.numbered(step, faceId, this.faceBodies);
    const alignment: Alignment<FaceId> = {
      comparedWith: comparedFaces(this.video),
      continued: continuations(this.seen, presence),
    };
    const isNew = this.tellVideo({
      type: 'RecordVideoAnalysis',
      status: 'completed',
      analysis_id: `analysis ${this.fresh()}`,
      faces: [...next].map(([id, identity]) => {
        const name = step.stated ? `stated ${identity}` : null;
        if (name !== null) this.give(`face ${identity}`, name);
        return { face_id: faceId(id), name, personality_traits: undefined };
      }),
      tracks: { first_revision: 0, parts: 1 },
      alignment,
      at: this.now(),
    });
    if (!isNew) throw new Error('an analysis was refused');
    this.faces = next;
    this.faceBodies = bodies;
    this.seen = presence;
  }

  private match(step: Extract<Step, { do: 'match' | 'reject' }>): void {
    const [face, voice] = [this.face(step.face), this.voice(step.voice)];
    if (face === null || voice === null) return;
    const facts = factsOf(this.audioState);
    const pair = `${face.who} ${voice.who}`;
    if (step.do === 'reject') {
      this.rejected.add(pair);
      const decision = { speaker_id: voice.id, face_id: face.id, verdict: 'rejected' as const };
      this.tellVideo({ type: 'DecideLinks', decisions: [decision], audio: facts, at: this.now() });
      return;
    }
    const name = step.named ? `name ${this.fresh()}` : null;
    if (name !== null) [face.who, voice.who].forEach((who) => this.give(who, name));
    this.matched.add(pair);
    const mappings = [{ face_id: face.id, speaker_id: voice.id, name }];
    this.tellVideo({ type: 'MatchFaces', mappings, audio: facts, at: this.now() });
  }

  /** The answer uses the numbers of when the run was queued. */
  private answer(step: Extract<Step, { do: 'answer' }>): void {
    if (this.queued === null) return;
    const { run_id, voices, faces } = this.queued;
    const [voice] = [...voices].slice(step.voice);
    const [face] = [...faces].slice(step.face);
    this.queued = null;
    if (voice === undefined || face === undefined) return;
    this.matched.add(`face ${face[1]} voice ${voice[1]}`);
    const match = { face_id: faceId(face[0]), speaker_id: speakerId(voice[0]), accuracy: 0.5, evidence: {} };
    this.tellVideo({
      type: 'ReceiveWriteBack',
      run_id,
      unattributed_run_id: runId('u'),
      answer: { status: 'completed', matches: [{ ...match, channel: 'co_occurrence' }], unmatched_speakers: [] },
      video_revision: null,
      audio: factsOf(this.audioState),
      stale_seconds: 900,
      at: this.now(),
    });
  }

  private undo({ ago, of }: Extract<Step, { do: 'undo' }>): void {
    const asked = { position: '0', change_id: 'c', cause: { kind: 'request' as const } };
    const common = { ...asked, other: null, changed_since: [], at: this.now() };
    if (of === 'audio') {
      const revision = this.log.audio.length - 1 - ago;
      const event = this.log.audio[revision];
      if (event !== undefined)
        this.tellAudio({ type: 'RevertAudioChange', ...common, changes: audioChangesOf([event]), revision });
      return;
    }
    const revision = this.log.video.length - 1 - ago;
    const event = this.log.video[revision];
    const facts = { audio: factsOf(this.audioState), run_id: null };
    if (event !== undefined)
      this.tellVideo({ type: 'RevertVideoChange', ...common, ...facts, changes: videoChangesOf([event]), revision });
  }

  perform(step: Step): void {
    switch (step.do) {
      case 'analyse voices':
        return this.analyseVoices(step);
      case 'analyse faces':
        return this.analyseFaces(step);
      case 'name voice': {
        const voice = this.voice(step.voice);
        if (voice === null) return;
        const name = personName(`name ${this.fresh()}`);
        this.give(voice.who, name);
        this.tellAudio({ type: 'RenameSpeakers', speakers: [{ speaker_id: voice.id, name }], at: this.now() });
        return;
      }
      case 'name face': {
        const face = this.face(step.face);
        if (face === null) return;
        const name = personName(`name ${this.fresh()}`);
        this.give(face.who, name);
        this.tellVideo({ type: 'RenameFaces', faces: [{ face_id: face.id, name }], at: this.now() });
        return;
      }
      case 'match':
      case 'reject':
        return this.match(step);
      case 'queue': {
        const run_id = runId(`run-${this.fresh()}`);
        const facts = { audio: factsOf(this.audioState), target_speaker_ids: null, stale_seconds: 0 };
        if (this.tellVideo({ type: 'QueueMatchRun', run_id, mode: 'commit', ...facts, at: this.now() }))
          this.queued = { run_id, voices: new Map(this.voices), faces: new Map(this.faces) };
        return;
      }
      case 'answer':
        return this.answer(step);
      case 'undo':
        return this.undo(step);
    }
  }

  private namesGiven(who: string): ReadonlySet<string> {
    return this.namesOf.get(who) ?? new Set();
  }

  private voicesMatchedTo(face: string): ReadonlyArray<string> {
    const start = `${face} voice`;
    return [...this.matched].flatMap((pair) => (pair.startsWith(start) ? [pair.slice(face.length + 1)] : []));
  }

  /** Compared by time: what anybody has was given to them, and to nobody else. Says what is not so. */
  faults(): ReadonlyArray<string> {
    const faults: string[] = [];
    for (const { speaker_id, name } of this.audio.speakers.values()) {
      const who = `voice ${this.voices.get(speaker_id)}`;
      if (name !== null && !this.namesGiven(who).has(name)) faults.push(`${who} is called ${name}`);
    }
    for (const { face_id, name, speaker_id } of this.video.faces.values()) {
      const who = `face ${this.faces.get(face_id)}`;
      const pair = speaker_id === null ? null : `${who} voice ${this.voices.get(speaker_id)}`;
      if (pair !== null && !this.matched.has(pair)) faults.push(`matched: ${pair}`);
      const isOwn = name === null || name === `Face ${face_id}` || this.namesGiven(who).has(name);
      if (!isOwn && !this.voicesMatchedTo(who).some((voice) => this.namesGiven(voice).has(name)))
        faults.push(`${who} is called ${name}`);
    }
    for (const [speaker_id, faces] of this.video.ruled_out)
      for (const face_id of faces) {
        const pair = `face ${this.faces.get(face_id ?? -1)} voice ${this.voices.get(speaker_id)}`;
        if (!this.rejected.has(pair)) faults.push(`rejected: ${pair}`);
      }
    return faults;
  }
}
