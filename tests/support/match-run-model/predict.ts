import {
  adopted,
  anonymousAnswer,
  blockOf,
  withoutContradictions,
  linksOf,
  newRun,
  withoutConfirmed,
  ownAnswer,
  repetition,
  unknownId,
} from './answers.js';
import { type Model, type Run, addDeeds, inFlight, isGoneSince, linkFaces, noteRemoval, undo } from './model.js';
import { type Outcome, type Seen, done, refused } from './outcome.js';
import { type Pair, type Step, isBlank, isReal } from './steps.js';

type Of<Kind extends Step['do']> = Extract<Step, { do: Kind }>;

const only = (
  all: ReadonlyArray<{ readonly id: number; readonly name: string | null }>,
  name: string,
): number | undefined => {
  const [first, second] = all.filter((one) => one.name === name);
  return second === undefined ? first?.id : undefined;
};

/** Pairs of equal real names that are unique on both sides, if they cover all targets of the run. */
const resolvedByNames = (model: Model, targets: ReadonlyArray<number>): ReadonlyArray<Pair> | null => {
  const speakers = [...model.speakers.values()];
  const pairs = targets.flatMap((target): ReadonlyArray<Pair> => {
    const name = model.speakers.get(target)?.name ?? null;
    if (!isReal(name) || only(speakers, name) !== target) return [];
    const face = only([...model.faces.values()], name);
    return face === undefined ? [] : [[face, target]];
  });
  const counting = withoutContradictions(model, pairs);
  return counting.length > 0 && counting.length === targets.length ? counting : null;
};

const trigger = (model: Model, { mode, targets }: Of<'trigger'>, now: number, nameAccuracy: number): Outcome => {
  if (targets?.length === 0) return refused('EmptyTargets');
  if (targets?.some((target) => !model.speakers.has(target)) === true) return refused('TargetNotInAudio');
  if (model.videoStatus !== 'completed' || model.audioStatus !== 'completed') return refused('MediaNotCompleted');
  if (inFlight(model, now)) return refused('RunInFlight');
  for (const run of model.runs) if (run.state === 'open') run.state = 'superseded';
  const run = newRun(model, mode, targets, now);
  const index = model.runs.push(run) - 1;
  model.status = 'queue';
  model.queuedAt = mode === 'suggest' ? now : null;
  model.mode = mode === 'suggest' ? 'suggest' : null;
  const answer = { tag: 'queued' as const, run: index };
  const pairs = resolvedByNames(model, targets ?? [...model.speakers.keys()]);
  if (pairs === null) return { answer, bookings: [] };
  run.state = 'ended';
  if (mode === 'suggest') {
    model.block = blockOf(model, pairs);
    model.status = 'completed';
  } else addDeeds(model, run, linkFaces(model, linksOf(model, withoutConfirmed(model, pairs), nameAccuracy)));
  const origin = { candidates: [index], lateWriteSuspected: false, late: false, withdrawsBlock: false };
  const event = mode === 'suggest' ? 'stored' : 'committed';
  return { answer, bookings: [{ event, run: index, attribution: 'name_channel', ...origin }] };
};

/** PUT speaker-face-match, section 4.1. */
const map = (model: Model, pairs: ReadonlyArray<Pair>, names: ReadonlyArray<string | null>): Outcome => {
  if (pairs.length === 0) return refused('EmptyMappings');
  const repeated = repetition(pairs);
  if (repeated !== null) return refused(repeated);
  if (model.videoStatus !== 'completed') return refused('VideoUnprocessed');
  const unknown = unknownId(model, pairs);
  if (unknown !== null) return refused(unknown);
  const links = pairs.map(([face, speaker], index) => {
    const given = names[index] ?? null;
    const named = isBlank(given) ? adopted(model, face, speaker) : { name: given, by: 'person' as const };
    return { face, speaker, accuracy: null, ...named, given };
  });
  linkFaces(model, links);
  for (const { speaker, given } of links) {
    const known = model.speakers.get(speaker);
    if (known !== undefined && !isBlank(given)) Object.assign(known, { name: given, by: 'person' });
  }
  return done;
};

const renameFace = (model: Model, id: number, name: string): Outcome => {
  const face = model.faces.get(id);
  if (face === undefined) return refused('InvalidFace');
  Object.assign(face, { name, by: 'person' });
  return done;
};

/** A rename of a speaker also renames its matched face; a claim of a name only a face with that name. */
const renameSpeaker = (model: Model, id: number, name: string): Outcome => {
  const speaker = model.speakers.get(id);
  if (speaker === undefined || (speaker.name === name && speaker.by === 'person')) return done;
  const claimed = speaker.name === name;
  Object.assign(speaker, { name, by: 'person' });
  for (const face of model.faces.values())
    if (face.speaker === id && (!claimed || face.name === name)) renameFace(model, face.id, name);
  return done;
};

/** An analysis replaces faces, and keeps names and matches of those that remain. */
const analyseVideo = (model: Model, step: Of<'analyse video'>, now: number): Outcome => {
  const { status, faces } = step;
  if (model.lastVideoAnalysis === JSON.stringify(step)) return done;
  model.lastVideoAnalysis = JSON.stringify(step);
  model.videoStatus = status;
  for (const { id, name, traits } of faces) {
    const known = model.faces.get(id);
    const label = isBlank(name) ? `Face ${id}` : name;
    if (known === undefined) {
      model.faces.set(id, {
        id,
        name: label,
        by: 'analysis',
        speaker: null,
        accuracy: null,
        traits: traits ?? null,
      });
      continue;
    }
    if (traits !== undefined) known.traits = traits;
    const keeps = isReal(known.name, known.by) && (known.by !== 'analysis' || !isReal(name));
    if (!keeps && known.name !== label) Object.assign(known, { name: label, by: 'analysis' });
  }
  const removed = [...model.faces.keys()].filter((id) => faces.every((face) => face.id !== id));
  if (status !== 'completed') return done;
  removed.forEach((id) => model.faces.delete(id));
  noteRemoval(model, { faces: removed, speakers: [], at: now });
  return done;
};

const analyseAudio = (model: Model, step: Of<'analyse audio'>, now: number): Outcome => {
  const { status, speakers } = step;
  if (model.lastAudioAnalysis === JSON.stringify(step)) return done;
  model.lastAudioAnalysis = JSON.stringify(step);
  model.audioStatus = status;
  for (const { id, name } of speakers) {
    const known = model.speakers.get(id);
    if (known === undefined) model.speakers.set(id, { id, name: isBlank(name) ? null : name, by: 'analysis' });
    else if (known.by !== 'person' && (isReal(name) || !isReal(known.name))) known.name = isBlank(name) ? null : name;
  }
  const removed = [...model.speakers.keys()].filter((id) => speakers.every((speaker) => speaker.id !== id));
  if (status !== 'completed') return done;
  removed.forEach((id) => model.speakers.delete(id));
  for (const face of model.faces.values())
    if (face.speaker !== null && !model.speakers.has(face.speaker))
      Object.assign(face, { speaker: null, accuracy: null, traits: null });
  noteRemoval(model, { faces: [], speakers: removed, at: now });
  return done;
};

const facesOf = (deeds: Run['deeds']): ReadonlyArray<number> => deeds.map(({ face }) => face).sort((a, b) => a - b);

const revert = (model: Model, run: Run): Outcome => {
  const isGone = isGoneSince(model, run.changedAfter);
  const isTouched = run.deeds.some(
    ({ face, before, after }) => isGone(face, before.speaker) || isGone(face, after.speaker),
  );
  if (isTouched) return refused('NotRevertible');
  const { undone, left } = undo(model, run.deeds);
  if (undone.length === 0) return refused('NothingToRevert');
  return { answer: { tag: 'reverted', faces: facesOf(undone), left: facesOf(left) }, bookings: [] };
};

const recordTraits = (model: Model, id: number, traits: number): Outcome => {
  const face = model.faces.get(id);
  if (face === undefined) return refused('InvalidFace');
  face.traits = traits;
  return done;
};

/** The index of the run `ago` runs before the newest; null if there is none. */
export const runAgo = (runs: number, ago: number | null): number | null =>
  ago === null || ago >= runs ? null : runs - 1 - ago;

/** Applies a step to the model and returns the expected outcome. */
export const predict = (model: Model, step: Step, now: number, nameAccuracy: number): Outcome => {
  switch (step.do) {
    case 'trigger':
      return trigger(model, step, now, nameAccuracy);
    case 'answer': {
      const index = runAgo(model.runs.length, step.run);
      const run = index === null ? undefined : model.runs[index];
      return index === null || run === undefined
        ? anonymousAnswer(model, step, now)
        : ownAnswer(model, index, run, step, now);
    }
    case 'map':
      return map(model, step.pairs, step.names);
    case 'map block': {
      const pairs = (model.block ?? []).map(({ face, speaker }): Pair => [face, speaker]);
      const names = (model.block ?? []).map(({ name }) => name);
      return map(model, pairs, names);
    }
    case 'rename speaker':
      return renameSpeaker(model, step.id, step.name);
    case 'rename face':
      return renameFace(model, step.id, step.name);
    case 'revert': {
      const run = model.runs[runAgo(model.runs.length, step.run) ?? -1];
      return run === undefined ? done : revert(model, run);
    }
    case 'analyse video':
      return analyseVideo(model, step, now);
    case 'analyse audio':
      return analyseAudio(model, step, now);
    case 'record traits':
      return recordTraits(model, step.face, step.traits);
    case 'pass':
    case 'pass to the edge':
      return done;
  }
};

/** The visible state of the model. */
export const seenOf = (model: Model, now: number): Seen => ({
  status: model.status,
  queuedAt: model.queuedAt,
  mode: model.mode,
  inFlight: inFlight(model, now),
  stale: model.status === 'queue' && !inFlight(model, now),
  faces: [...model.faces.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, speaker, accuracy, traits }) => [id, name, speaker, accuracy, traits]),
  speakers: [...model.speakers.values()].sort((a, b) => a.id - b.id).map(({ id, name }) => [id, name]),
  block: model.block?.map(({ face, speaker, name }) => [face, speaker, name]) ?? null,
});
