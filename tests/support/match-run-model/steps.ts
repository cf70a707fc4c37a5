import * as fc from 'fast-check';
import type { By } from './model.js';

export type Pair = readonly [face: number, speaker: number];
type Mode = 'suggest' | 'commit';
type Status = 'processing' | 'completed';
export interface AnalysedFace {
  readonly id: number;
  readonly name: string | null;
  readonly traits: number | undefined;
}

/** An action of a client or a worker, or the passage of time. A run is given by the number of runs since it. */
export type Step =
  | { readonly do: 'trigger'; readonly mode: Mode; readonly targets: ReadonlyArray<number> | null }
  | {
      readonly do: 'answer';
      readonly run: number | null;
      readonly failed: boolean;
      readonly matches: ReadonlyArray<Pair>;
      readonly accuracy: number;
    }
  | { readonly do: 'map'; readonly pairs: ReadonlyArray<Pair>; readonly names: ReadonlyArray<string | null> }
  | { readonly do: 'map block' }
  | { readonly do: 'rename speaker' | 'rename face'; readonly id: number; readonly name: string }
  | { readonly do: 'revert'; readonly run: number }
  | { readonly do: 'analyse video'; readonly status: Status; readonly faces: ReadonlyArray<AnalysedFace> }
  | {
      readonly do: 'analyse audio';
      readonly status: Status;
      readonly speakers: ReadonlyArray<{ readonly id: number; readonly name: string | null }>;
    }
  | { readonly do: 'record traits'; readonly face: number; readonly traits: number }
  | { readonly do: 'pass'; readonly milliseconds: number }
  /** To the end of the newest trigger's stale window, or a millisecond beside it. */
  | { readonly do: 'pass to the edge'; readonly beside: number };

const ids = [0, 1, 2, 3];
const realNames = ['Ann', 'Bob', 'Cy'];
/** Whether a name is real: of a person, any name but `Face {id}`; of an analysis, any that is not a label. */
export const isReal = (name: string | null, by: By = 'analysis'): name is string =>
  name !== null && (by === 'person' ? !isBlank(name) && !name.startsWith('Face ') : realNames.includes(name));
export const isBlank = (name: string | null): boolean => name === null || name.trim() === '';

const kind = <Kind extends Step['do']>(of: Kind): fc.Arbitrary<Kind> => fc.constant(of);
const names = fc.constantFrom(null, ' ', 'SPEAKER_01', ...realNames);
const status = fc.constantFrom<Status>('completed', 'completed', 'completed', 'processing');

const zipped = fc
  .tuple(fc.shuffledSubarray(ids, { minLength: 1 }), fc.shuffledSubarray(ids, { minLength: 4 }))
  .map(([faces, speakers]) => faces.map((face, index): Pair => [face, speakers[index] ?? 0]));
const id = fc.constantFrom(...ids);
const anyPairs = fc.array(fc.tuple(id, id), { maxLength: 3 });
const pairs = fc.oneof({ weight: 9, arbitrary: zipped }, { weight: 1, arbitrary: anyPairs });
const runsAgo = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);

const trigger = fc.record({
  do: kind('trigger'),
  mode: fc.constantFrom<Mode>('suggest', 'commit'),
  targets: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.subarray(ids, { maxLength: 2 }) },
  ),
});
const answer = fc.record({
  do: kind('answer'),
  run: fc.oneof(fc.constant(null), runsAgo),
  failed: fc.constantFrom(false, false, false, true),
  matches: pairs,
  accuracy: fc.constantFrom(0.5, 0.9),
});
const map = fc.record({
  do: kind('map'),
  pairs,
  names: fc.array(fc.constantFrom(null, '', ' ', ...realNames), { minLength: 4, maxLength: 4 }),
});
const rename = fc.record({
  do: fc.constantFrom<'rename speaker' | 'rename face'>('rename speaker', 'rename face'),
  id,
  name: fc.constantFrom('Face 7', ...realNames),
});
const analyseVideo = fc.record({
  do: kind('analyse video'),
  status,
  faces: fc
    .subarray(ids, { minLength: 2 })
    .chain((some) =>
      fc.tuple(
        ...some.map((face) =>
          fc.record({ id: fc.constant(face), name: names, traits: fc.constantFrom(undefined, undefined, 1, 2) }),
        ),
      ),
    ),
});
const analyseAudio = fc.record({
  do: kind('analyse audio'),
  status,
  speakers: fc
    .subarray(ids, { minLength: 3 })
    .chain((some) => fc.tuple(...some.map((speaker) => fc.record({ id: fc.constant(speaker), name: names })))),
});
const pass = fc.record({
  do: kind('pass'),
  milliseconds: fc.constantFrom(1_000, 450_000, 899_000, 900_000, 901_000),
});
const edge = fc.record({ do: kind('pass to the edge'), beside: fc.constantFrom(-1, 0, 1) });

/** Random steps, those about runs more often than others. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: trigger },
  { weight: 8, arbitrary: answer },
  { weight: 2, arbitrary: map },
  { weight: 1, arbitrary: fc.record({ do: kind('map block') }) },
  { weight: 2, arbitrary: rename },
  { weight: 3, arbitrary: fc.record({ do: kind('revert'), run: runsAgo }) },
  { weight: 1, arbitrary: analyseVideo },
  { weight: 1, arbitrary: analyseAudio },
  {
    weight: 1,
    arbitrary: fc.record({ do: kind('record traits'), face: id, traits: fc.constantFrom(3, 4) }),
  },
  { weight: 2, arbitrary: pass },
  { weight: 3, arbitrary: edge },
);
