import { nameMatchAccuracy } from '../../../domain/matching/name-channel.js';
import {
  type Booking,
  type By,
  type Link,
  type Mapping,
  type Model,
  type Outcome,
  type Pair,
  type Run,
  addDeeds,
  inFlight,
  isBlank,
  isGoneSince,
  isReal,
  isWithin,
  linkFaces,
  mergedDeeds,
  refused,
  undo,
  undoAssumed,
} from './model.js';

/** The name that a face adopts: the speaker's, if the face has none or a label. */
export const adopted = (
  model: Model,
  face: number,
  speaker: number,
): { readonly name: string | null; readonly by: By } => {
  const own = model.faces.get(face);
  const offered = model.speakers.get(speaker);
  const takes = !isReal(own?.name ?? null, own?.by) && !isBlank(offered?.name ?? null);
  return { name: takes ? (offered?.name ?? null) : null, by: offered?.by === 'person' ? 'person' : 'speaker' };
};

const blockName = (model: Model, face: number, speaker: number): string | null => {
  const [of, by] = [model.faces.get(face), model.speakers.get(speaker)];
  const [own, other] = [of?.name ?? null, by?.name ?? null];
  if (!isReal(own, of?.by)) return isBlank(other) ? null : other;
  return isReal(other, by?.by) && other !== own ? null : own;
};

/** The matches of people, which have no accuracy. */
const confirmed = (model: Model): ReadonlyArray<Pair> =>
  [...model.faces.values()]
    .sort((one, other) => one.id - other.id)
    .flatMap(({ id, speaker, accuracy }): ReadonlyArray<Pair> =>
      speaker === null || accuracy !== null ? [] : [[id, speaker]],
    );

const isSame = ([face, speaker]: Pair, [otherFace, otherSpeaker]: Pair): boolean =>
  face === otherFace && speaker === otherSpeaker;
const isAgainst = ([face, speaker]: Pair, [otherFace, otherSpeaker]: Pair): boolean =>
  (face === otherFace) !== (speaker === otherSpeaker);

/** The pairs that do not contradict matches of people. */
const withoutContradictions = (model: Model, pairs: ReadonlyArray<Pair>): ReadonlyArray<Pair> =>
  pairs.filter((pair) => !confirmed(model).some((one) => isAgainst(one, pair)));

/** The pairs that are not yet matches of people. */
const withoutConfirmed = (model: Model, pairs: ReadonlyArray<Pair>): ReadonlyArray<Pair> =>
  pairs.filter((pair) => !confirmed(model).some((one) => isSame(one, pair)));

/** Every block contains the matches of people, unless an answer without run id uses their face or speaker. */
const blockOf = (model: Model, pairs: ReadonlyArray<Pair>): ReadonlyArray<Mapping> =>
  [...pairs, ...confirmed(model).filter((one) => !pairs.some((pair) => isSame(one, pair) || isAgainst(one, pair)))].map(
    ([face, speaker]) => ({ face, speaker, name: blockName(model, face, speaker) }),
  );

const linksOf = (model: Model, pairs: ReadonlyArray<Pair>, accuracy: number): ReadonlyArray<Link> =>
  pairs.map(([face, speaker]) => ({ face, speaker, accuracy, ...adopted(model, face, speaker) }));

const newRun = (model: Model, mode: Run['mode'], targets: Run['targets'], queuedAt: number): Run => ({
  mode,
  targets,
  queuedAt,
  state: 'open',
  assumed: false,
  deeds: [],
  assumedDeeds: [],
  queuedAfter: model.removals.length,
  changedAfter: model.removals.length,
});

const repeats = (ids: ReadonlyArray<number>): boolean => new Set(ids).size < ids.length;

/** The refusal of pairs that repeat an id. */
export const repetition = (pairs: ReadonlyArray<Pair>): string | null => {
  if (repeats(pairs.map(([face]) => face))) return 'DuplicateFace';
  return repeats(pairs.map(([, speaker]) => speaker)) ? 'DuplicateSpeaker' : null;
};

/** The refusal of pairs with unknown ids. */
export const unknownId = (model: Model, pairs: ReadonlyArray<Pair>): string | null => {
  if (pairs.some(([face]) => !model.faces.has(face))) return 'InvalidFace';
  return pairs.some(([, speaker]) => !model.speakers.has(speaker)) ? 'InvalidSpeaker' : null;
};

interface WriteBack {
  readonly failed: boolean;
  readonly matches: ReadonlyArray<Pair>;
  readonly accuracy: number;
}

const received = (status: string, run: number | null, reason: string | null = null): Outcome['answer'] => ({
  tag: 'received',
  status,
  run,
  reason,
});

const booked = (booking: Booking): Outcome => ({ answer: received(booking.event, booking.run), bookings: [booking] });

const keep = (model: Model, matches: ReadonlyArray<Pair>): void => {
  model.block = blockOf(model, matches);
  model.status = 'completed';
};

/** A write-back with a run id applies only to that run, and only while it is open. */
export const ownAnswer = (model: Model, index: number, run: Run, sent: WriteBack, now: number): Outcome => {
  if (run.state !== 'open')
    return {
      answer: received('ignored', index, run.state === 'superseded' ? 'run_superseded' : 'run_ended'),
      bookings: [],
    };
  const { failed, accuracy } = sent;
  // Its ids are those of when it was queued.
  const isGone = isGoneSince(model, run.queuedAfter);
  const matches = sent.matches.filter(([face, speaker]) => !isGone(face, speaker));
  const booking = {
    run: index,
    attribution: 'own' as const,
    candidates: [index],
    lateWriteSuspected: false,
    late: !isWithin(run.queuedAt, now),
    withdrawsBlock: false,
  };
  const wrong = failed ? null : (repetition(sent.matches) ?? unknownId(model, matches));
  if (wrong !== null) return refused(wrong);
  if (!failed && run.targets !== null && matches.some(([, speaker]) => !run.targets?.includes(speaker)))
    return refused('SpeakerNotTargeted');
  run.state = 'ended';
  if (run.mode === 'suggest') {
    const withdrawsBlock = failed && run.assumed && model.status === 'completed';
    if (failed) model.status = 'failed';
    else keep(model, withoutContradictions(model, matches));
    return booked({ ...booking, event: failed ? 'failed' : 'stored', withdrawsBlock });
  }
  const left = undoAssumed(model, run.assumedDeeds).map(({ face }) => face);
  const undone = run.assumedDeeds.map(({ face }) => face).filter((face) => !left.includes(face));
  run.deeds = run.deeds.filter(({ face }) => !undone.includes(face));
  const counting = withoutConfirmed(model, withoutContradictions(model, matches));
  if (!failed) addDeeds(model, run, linkFaces(model, linksOf(model, counting, accuracy)));
  return booked({ ...booking, event: failed ? 'failed' : 'committed' });
};

/** Without a run id, the stored mode decides and the newest open run is assumed. */
export const anonymousAnswer = (model: Model, { failed, matches, accuracy }: WriteBack, now: number): Outcome => {
  const index = model.runs.findLastIndex(({ state }) => state === 'open');
  const open = model.runs[index] ?? null;
  const suggests = model.mode === 'suggest';
  const lastRemoval = model.removals.at(-1);
  const unanswered = model.runs.flatMap((run, number) => (run.state === 'ended' ? [] : [{ run, number }]));
  const booking = {
    run: open === null ? model.runs.length : index,
    attribution: open === null ? ('unattributed' as const) : ('assumed' as const),
    candidates: unanswered.map(({ number }) => number),
    lateWriteSuspected:
      (lastRemoval !== undefined && isWithin(lastRemoval.at, now)) ||
      unanswered.some(
        ({ run }) =>
          run.queuedAfter < model.removals.length ||
          (run.mode === 'suggest' && (run.state === 'superseded' || !isWithin(run.queuedAt, now))),
      ),
    late: false,
    withdrawsBlock: false,
  };
  if (failed) {
    if (open === null || (suggests && model.status !== 'queue'))
      return { answer: received('ignored', open === null ? null : index, 'nothing_to_fail'), bookings: [] };
    open.assumed = true;
    if (suggests) model.status = 'failed';
    return booked({ ...booking, event: 'failed' });
  }
  const wrong = repetition(matches) ?? unknownId(model, matches);
  if (wrong !== null) return refused(wrong);
  const run: Run = open ?? { ...newRun(model, suggests ? 'suggest' : 'commit', null, now), state: 'ended' };
  if (open === null) model.runs.push(run);
  else run.assumed = true;
  if (suggests) keep(model, matches);
  else {
    const deeds = linkFaces(model, linksOf(model, matches, accuracy));
    addDeeds(model, run, deeds);
    run.assumedDeeds = mergedDeeds(run.assumedDeeds, deeds);
  }
  return booked({ ...booking, event: suggests ? 'stored' : 'committed' });
};

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

export const triggered = (model: Model, mode: Run['mode'], targets: Run['targets'], now: number): Outcome => {
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
  if (mode === 'suggest') keep(model, pairs);
  else addDeeds(model, run, linkFaces(model, linksOf(model, withoutConfirmed(model, pairs), nameMatchAccuracy)));
  const origin = { candidates: [index], lateWriteSuspected: false, late: false, withdrawsBlock: false };
  const event = mode === 'suggest' ? 'stored' : 'committed';
  return { answer, bookings: [{ event, run: index, attribution: 'name_channel', ...origin }] };
};

const facesOf = (deeds: Run['deeds']): ReadonlyArray<number> => deeds.map(({ face }) => face).sort((a, b) => a - b);

export const reverted = (model: Model, run: Run): Outcome => {
  const isGone = isGoneSince(model, run.changedAfter);
  const isTouched = run.deeds.some(
    ({ face, before, after }) => isGone(face, before.speaker) || isGone(face, after.speaker),
  );
  if (isTouched) return refused('NotRevertible');
  const { undone, left } = undo(model, run.deeds);
  if (undone.length === 0) return refused('NothingToRevert');
  return { answer: { tag: 'reverted', faces: facesOf(undone), left: facesOf(left) }, bookings: [] };
};
