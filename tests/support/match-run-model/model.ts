/** What the specification and the contract say of a video's faces, its audio's speakers and its match runs. */
export interface Face {
  readonly id: number;
  name: string | null;
  /** Whether somebody gave the name, so that an analysis leaves it if it is a real one. */
  edited: boolean;
  speaker: number | null;
  accuracy: number | null;
  traits: number | null;
  /** Another number after each change of name or match. */
  version: number;
}
export type FaceValues = Pick<Face, 'name' | 'speaker' | 'accuracy' | 'traits'>;

export interface Speaker {
  readonly id: number;
  name: string | null;
  edited: boolean;
}

/** What a run's write-back did to a face. */
export interface Deed {
  readonly face: number;
  readonly before: FaceValues;
  readonly after: FaceValues;
  readonly version: number;
}

export interface Run {
  readonly mode: 'suggest' | 'commit';
  readonly targets: ReadonlyArray<number> | null;
  readonly queuedAt: number;
  state: 'open' | 'superseded' | 'ended';
  assumed: boolean;
  /** In the order in which they were done. */
  deeds: ReadonlyArray<Deed>;
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
  mode: 'suggest' | null;
  block: ReadonlyArray<Mapping> | null;
  changes: number;
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
  changes: 0,
});

const staleAfter = 15 * 60 * 1_000;

/** `queued_at` within 15 minutes. */
export const isWithin = (queuedAt: number, now: number): boolean => now - queuedAt <= staleAfter;

/** Section 3: a run is in flight while it is queued and its `queued_at` is within 15 minutes. */
export const inFlight = ({ status, queuedAt }: Model, now: number): boolean =>
  status === 'queue' && queuedAt !== null && isWithin(queuedAt, now);

export const valuesOf = ({ name, speaker, accuracy, traits }: Face): FaceValues => ({
  name,
  speaker,
  accuracy,
  traits,
});

export const nextVersion = (model: Model): number => (model.changes += 1);

const same = (a: FaceValues, b: FaceValues): boolean =>
  a.name === b.name && a.speaker === b.speaker && a.accuracy === b.accuracy;

export interface Link extends Mapping {
  readonly accuracy: number | null;
}

/** Matches faces to speakers one to one; a name of null leaves the face's. What changed is told. */
export const linkFaces = (model: Model, links: ReadonlyArray<Link>): ReadonlyArray<Deed> => {
  const before = new Map([...model.faces.values()].map((face) => [face.id, { ...face }]));
  for (const { face, speaker, accuracy, name } of links)
    for (const other of model.faces.values())
      if (other.id === face) Object.assign(other, { speaker, accuracy, name: name ?? other.name });
      else if (other.speaker === speaker && !links.some((link) => link.face === other.id))
        Object.assign(other, { speaker: null, accuracy: null });
  return [...model.faces.values()].flatMap((face): ReadonlyArray<Deed> => {
    const old = before.get(face.id);
    if (old === undefined || same(old, valuesOf(face))) return [];
    const edited = old.edited || old.name !== face.name;
    Object.assign(face, { traits: null, edited, version: nextVersion(model) });
    return [{ face: face.id, before: valuesOf(old), after: valuesOf(face), version: face.version }];
  });
};

/** What a run did in all: its earlier deeds and its later ones, seen from before the first unless others came between. */
export const withDeeds = (earlier: ReadonlyArray<Deed>, later: ReadonlyArray<Deed>): ReadonlyArray<Deed> => {
  const continued = later.map((deed) => {
    const first = earlier.find(({ face }) => face === deed.face);
    return first !== undefined && same(first.after, deed.before) ? { ...deed, before: first.before } : deed;
  });
  return [...earlier.filter(({ face }) => later.every((deed) => deed.face !== face)), ...continued];
};

const subsets = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.reduce<ReadonlyArray<ReadonlyArray<A>>>((sets, item) => [...sets.map((set) => [...set, item]), ...sets], [[]]);

/** The most faces that can be put back so that no two have one speaker; of two that want it, the later deed's. */
const restorable = (model: Model, deeds: ReadonlyArray<Deed>): ReadonlyArray<Deed> => {
  const untouched = deeds.filter(({ face, version }) => model.faces.get(face)?.version === version);
  const oneToOne = (set: ReadonlyArray<Deed>): boolean => {
    const held = [...model.faces.values()].flatMap(({ id, speaker }) => {
      const deed = set.find(({ face }) => face === id);
      const holds = deed === undefined ? speaker : deed.before.speaker;
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

/** No face gets a speaker back that is gone. */
const withoutGone = (model: Model, deed: Deed): Deed =>
  deed.before.speaker === null || model.speakers.has(deed.before.speaker)
    ? deed
    : { ...deed, before: { ...deed.before, speaker: null, accuracy: null } };

/** Puts faces back to what they were before a run's deeds; those that it leaves are told. */
export const undo = (model: Model, all: ReadonlyArray<Deed>) => {
  const deeds = all.map((deed) => withoutGone(model, deed));
  const undone = restorable(model, deeds);
  for (const { face, before } of undone) {
    const known = model.faces.get(face);
    if (known !== undefined) Object.assign(known, before, { version: nextVersion(model) });
  }
  return { undone, left: all.filter(({ face }) => undone.every((deed) => deed.face !== face)) };
};
