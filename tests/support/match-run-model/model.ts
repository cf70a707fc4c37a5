/** Who gave a name; `speaker`: a name adopted from a speaker, given by the audio's analysis. */
export type By = 'person' | 'speaker' | 'analysis';

export type Pair = readonly [face: number, speaker: number];

export const realNames = ['Ann', 'Bob', 'Cy'];
export const isBlank = (name: string | null): boolean => name === null || name.trim() === '';
/** Whether a name is real: of a person, any name but `Face {id}`; of an analysis, any that is not a label. */
export const isReal = (name: string | null, by: By = 'analysis'): name is string =>
  name !== null && (by === 'person' ? !isBlank(name) && !name.startsWith('Face ') : realNames.includes(name));

/** A model of a video's faces, its audio's speakers and its match runs, according to the specification and the contract. */
interface Face {
  readonly id: number;
  name: string | null;
  /** Who gave the name: an analysis of the video does not overwrite a real name that others gave. */
  by: By;
  speaker: number | null;
  accuracy: number | null;
  traits: number | null;
}
type FaceValues = Pick<Face, 'name' | 'by' | 'speaker' | 'accuracy' | 'traits'>;

interface Speaker {
  readonly id: number;
  name: string | null;
  by: By;
}

/** A change that a run's write-back made to a face. */
interface Deed {
  readonly face: number;
  readonly before: FaceValues;
  readonly after: FaceValues;
}

export interface Run {
  readonly mode: 'suggest' | 'commit';
  readonly targets: ReadonlyArray<number> | null;
  readonly queuedAt: number;
  state: 'open' | 'superseded' | 'ended';
  assumed: boolean;
  /** In chronological order. */
  deeds: ReadonlyArray<Deed>;
  /** What its own answer takes back. They follow later analyses. */
  assumedDeeds: ReadonlyArray<Deed>;
  /** How many analyses had removed somebody when it was queued, and when the first standing deed was done. */
  readonly queuedAfter: number;
  changedAfter: number;
}

/** An analysis that removed faces or speakers: ids of before mean nobody since. */
interface Removal {
  readonly faces: ReadonlyArray<number>;
  readonly speakers: ReadonlyArray<number>;
  readonly at: number;
}

export interface Mapping {
  readonly face: number;
  readonly speaker: number;
  readonly name: string | null;
}

export interface Model {
  videoStatus: 'processing' | 'completed';
  audioStatus: 'processing' | 'completed';
  lastVideoAnalysis: string;
  lastAudioAnalysis: string;
  readonly faces: Map<number, Face>;
  readonly speakers: Map<number, Speaker>;
  readonly runs: Run[];
  status: 'queue' | 'completed' | 'failed' | null;
  queuedAt: number | null;
  mode: Run['mode'] | null;
  block: ReadonlyArray<Mapping> | null;
  readonly removals: Removal[];
}

export const emptyModel = (): Model => ({
  videoStatus: 'processing',
  audioStatus: 'processing',
  lastVideoAnalysis: '',
  lastAudioAnalysis: '',
  faces: new Map(),
  speakers: new Map(),
  runs: [],
  status: null,
  queuedAt: null,
  mode: null,
  block: null,
  removals: [],
});

/** Milliseconds. */
export const staleAfter = 15 * 60 * 1_000;

/** `queued_at` within 15 minutes. */
export const isWithin = (queuedAt: number, now: number): boolean => now - queuedAt <= staleAfter;

/** Section 3: a run is in flight while it is queued and its `queued_at` is within 15 minutes. */
export const inFlight = ({ status, queuedAt }: Model, now: number): boolean =>
  status === 'queue' && queuedAt !== null && isWithin(queuedAt, now);

const valuesOf = ({ name, by, speaker, accuracy, traits }: Face): FaceValues => ({
  name,
  by,
  speaker,
  accuracy,
  traits,
});

const same = (a: FaceValues, b: FaceValues): boolean =>
  a.name === b.name && a.speaker === b.speaker && a.accuracy === b.accuracy;

export interface Link extends Mapping {
  readonly by: By;
  readonly accuracy: number | null;
}

/** Matches faces to speakers one to one; a name of null keeps the face's. Returns the changes. */
export const linkFaces = (model: Model, links: ReadonlyArray<Link>): ReadonlyArray<Deed> => {
  const before = new Map([...model.faces.values()].map((face) => [face.id, { ...face }]));
  for (const { face, speaker, accuracy, name, by } of links)
    for (const other of model.faces.values())
      if (other.id === face) Object.assign(other, { speaker, accuracy }, name === null ? {} : { name, by });
      else if (other.speaker === speaker && !links.some((link) => link.face === other.id))
        Object.assign(other, { speaker: null, accuracy: null });
  return [...model.faces.values()].flatMap((face): ReadonlyArray<Deed> => {
    const old = before.get(face.id);
    if (old === undefined || (same(old, valuesOf(face)) && old.by === face.by)) return [];
    if (!same(old, valuesOf(face))) face.traits = null;
    return [{ face: face.id, before: valuesOf(old), after: valuesOf(face) }];
  });
};

/** The combined changes of a run: earlier and later ones of a face are merged unless others came in between. */
export const mergedDeeds = (earlier: ReadonlyArray<Deed>, later: ReadonlyArray<Deed>): ReadonlyArray<Deed> => {
  const continued = later.map((deed) => {
    const first = earlier.find(({ face }) => face === deed.face);
    if (first === undefined || !same(first.after, deed.before)) return deed;
    /* A claim of the name by a person in between is not a change of the run. */
    const by = deed.before.by === deed.after.by ? first.after.by : deed.after.by;
    return { ...deed, before: first.before, after: { ...deed.after, by } };
  });
  return [...earlier.filter(({ face }) => later.every((deed) => deed.face !== face)), ...continued];
};

const subsets = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.reduce<ReadonlyArray<ReadonlyArray<A>>>((sets, item) => [...sets.map((set) => [...set, item]), ...sets], [[]]);

const fields = ['name', 'speaker', 'accuracy', 'traits'] as const;

/** Whether a face was changed since: a field is neither as after nor as before the run, or a person claimed the name. */
const isTouched = (face: Face, { before, after }: Deed): boolean =>
  fields.some((field) => face[field] !== before[field] && face[field] !== after[field]) ||
  (face.name === after.name && face.name !== before.name && face.by !== after.by);

const moves = (face: Face, { before, after }: Deed): boolean =>
  before.speaker !== after.speaker && face.speaker === after.speaker;

/** The largest set of changes that can be undone so that no two faces have one speaker; in a conflict, the later change. */
const restorable = (model: Model, deeds: ReadonlyArray<Deed>): ReadonlyArray<Deed> => {
  const untouched = deeds.filter((deed) => {
    const face = model.faces.get(deed.face);
    if (face === undefined || isTouched(face, deed)) return false;
    return !moves(face, deed) || deed.before.speaker === null || model.speakers.has(deed.before.speaker);
  });
  const oneToOne = (set: ReadonlyArray<Deed>): boolean => {
    const held = [...model.faces.values()].flatMap((one) => {
      const deed = set.find(({ face }) => face === one.id);
      const holds = deed !== undefined && moves(one, deed) ? deed.before.speaker : one.speaker;
      return holds === null ? [] : [holds];
    });
    return new Set(held).size === held.length;
  };
  const weight = (set: ReadonlyArray<Deed>): number =>
    set.reduce((sum, deed) => sum + 100 + untouched.indexOf(deed), 0);
  return subsets(untouched)
    .filter(oneToOne)
    .reduce((best, set) => (weight(set) > weight(best) ? set : best), []);
};

const restore = (face: Face, deed: Deed): boolean => {
  const { before, after } = deed;
  const old = { ...face };
  const moving = moves(face, deed);
  const isOfMatch = moving || (before.speaker === after.speaker && face.speaker === before.speaker);
  const renamed = before.name !== after.name || before.by !== after.by;
  if (renamed && face.name === after.name && face.by === after.by)
    Object.assign(face, { name: before.name, by: before.by });
  if (moving) face.speaker = before.speaker;
  if (moving || (isOfMatch && face.accuracy === after.accuracy)) face.accuracy = before.accuracy;
  if (face.traits === after.traits) face.traits = before.traits;
  return fields.some((field) => old[field] !== face[field]) || old.by !== face.by;
};

/** Restores faces to their state before a run. Returns what was undone and what was left. */
export const undo = (model: Model, deeds: ReadonlyArray<Deed>) => {
  const kept = restorable(model, deeds);
  const undone = kept.filter((deed) => {
    const face = model.faces.get(deed.face);
    return face !== undefined && restore(face, deed);
  });
  return { undone, left: deeds.filter((deed) => !kept.includes(deed)) };
};

/** The same for an assumed answer: removed speakers are not restored, but the other fields are. */
export const undoAssumed = (model: Model, deeds: ReadonlyArray<Deed>): ReadonlyArray<Deed> => {
  const without = deeds.map((deed) =>
    deed.before.speaker === null || model.speakers.has(deed.before.speaker)
      ? deed
      : { ...deed, before: { ...deed.before, speaker: null, accuracy: null } },
  );
  const { undone } = undo(model, without);
  return deeds.filter(({ face }) => undone.every((deed) => deed.face !== face));
};

const without = (values: FaceValues, speakers: ReadonlyArray<number>): FaceValues =>
  values.speaker !== null && speakers.includes(values.speaker)
    ? { ...values, speaker: null, accuracy: null, traits: null }
    : values;

/** Notes whom a completed analysis removed, if anybody. */
export const noteRemoval = (model: Model, removal: Removal): void => {
  const { faces, speakers } = removal;
  if (faces.length + speakers.length === 0) return;
  model.removals.push(removal);
  for (const run of model.runs)
    run.assumedDeeds = run.assumedDeeds
      .filter(({ face }) => !faces.includes(face))
      .map((deed) => ({ ...deed, before: without(deed.before, speakers), after: without(deed.after, speakers) }));
};

/** Whether the ids of before some analyses mean nobody since. */
export const isGoneSince = (model: Model, after: number): ((face: number, speaker: number | null) => boolean) => {
  const since = model.removals.slice(after);
  return (face, speaker) =>
    since.some(({ faces, speakers }) => faces.includes(face) || (speaker !== null && speakers.includes(speaker)));
};

/** Adds what a write-back did to what the run did before. */
export const addDeeds = (model: Model, run: Run, deeds: ReadonlyArray<Deed>): void => {
  if (run.deeds.length === 0) run.changedAfter = model.removals.length;
  run.deeds = mergedDeeds(run.deeds, deeds);
};

/** How a write-back was booked. Runs are numbered in the order of their creation. */
export interface Booking {
  readonly event: 'stored' | 'committed' | 'failed';
  readonly run: number;
  readonly attribution: 'own' | 'assumed' | 'unattributed' | 'name_channel';
  readonly candidates: ReadonlyArray<number>;
  readonly lateWriteSuspected: boolean;
  readonly late: boolean;
  readonly withdrawsBlock: boolean;
}

export type Answer =
  | { readonly tag: 'done' }
  | { readonly tag: 'refused'; readonly refusal: string }
  | { readonly tag: 'queued'; readonly run: number }
  | {
      readonly tag: 'received';
      readonly status: string;
      readonly run: number | null;
      readonly reason: string | null;
    }
  | { readonly tag: 'reverted'; readonly faces: ReadonlyArray<number>; readonly left: ReadonlyArray<number> };

export interface Outcome {
  readonly answer: Answer;
  readonly bookings: ReadonlyArray<Booking>;
}

export const done: Outcome = { answer: { tag: 'done' }, bookings: [] };
export const refused = (refusal: string): Outcome => ({ answer: { tag: 'refused', refusal }, bookings: [] });

type FaceSeen = readonly [
  id: number,
  name: string | null,
  speaker: number | null,
  accuracy: number | null,
  traits: number | null,
];
type SpeakerSeen = readonly [id: number, name: string | null];
type MappingSeen = readonly [face: number, speaker: number, name: string | null];

/** What can be seen of a model, or of what it is a model of. */
export const seenOf = (model: Model, now: number) => ({
  status: model.status,
  queuedAt: model.queuedAt,
  mode: model.mode,
  inFlight: inFlight(model, now),
  stale: model.status === 'queue' && !inFlight(model, now),
  faces: [...model.faces.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, speaker, accuracy, traits }): FaceSeen => [id, name, speaker, accuracy, traits]),
  speakers: [...model.speakers.values()].sort((a, b) => a.id - b.id).map(({ id, name }): SpeakerSeen => [id, name]),
  block: model.block?.map(({ face, speaker, name }): MappingSeen => [face, speaker, name]) ?? null,
});
export type Seen = ReturnType<typeof seenOf>;
