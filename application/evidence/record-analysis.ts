import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Alignment, Renumbering } from '../../domain/kernel/renumbering.js';
import type { Presence } from '../../domain/matching/continuations.js';
import type { Uses } from '../application.js';
import type { CommandResult, Folded } from '../commands/handle-command.js';
import type { Failure, RevisionChanged } from '../failures.js';

/** How the analysis of a video or an audio is recorded. */
interface Recording<State, Refusal, Written, Id extends number> {
  readonly load: TE.TaskEither<Failure, Folded<State>>;
  /** The events of the analysis without its evidence, not written: none if it is known already. */
  readonly changes: TE.TaskEither<Refusal | RevisionChanged | Failure, ReadonlyArray<unknown>>;
  /** The references to evidence where none is written. */
  readonly none: Written;
  readonly writeEvidence: (state: State) => TE.TaskEither<Failure, Written>;
  /** What it found, to be compared with what was found before; null if the numbers stay as they are. */
  readonly found: ReadonlyArray<Presence<Id>> | null;
  /** What was found before, and the state that this belongs to; null if there is nothing. */
  readonly earlier: (
    state: State,
  ) => { readonly comparedWith: string; readonly found: TE.TaskEither<Failure, ReadonlyArray<Presence<Id>>> } | null;
  readonly perform: (
    written: Written,
    alignment: Alignment<Id> | null,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, CommandResult<State, DomainEvent>>;
}

const attempts = 20;

/** How the analysis among these events numbers differently; nothing for one that was known already. */
const renumberingIn = (recorded: CommandResult<unknown, DomainEvent>['recorded']): Renumbering => {
  const events = recorded.map(({ event }) => event);
  const found = events.find(
    (event) => event.type === 'AudioAnalysisRecorded' || event.type === 'VideoAnalysisRecorded',
  );
  return found === undefined ? { renumbered: [], discontinued: [] } : found.data;
};

/**
 * Writes the bulky evidence first; nothing refers to it until the record's own event does. If what the analysis was
 * compared with has changed meanwhile, it is compared again.
 */
export const recordAnalysis = <State, Refusal extends { readonly _tag: string }, Written, Id extends number>(
  { compare }: Uses<'compare'>,
  { load, changes, none, writeEvidence, found, earlier, perform }: Recording<State, Refusal, Written, Id>,
): TE.TaskEither<Refusal | RevisionChanged | Failure, Renumbering> => {
  const align = (state: State): TE.TaskEither<Failure, Alignment<Id> | null> => {
    const before = earlier(state);
    if (found === null || before === null) return TE.right(null);
    return pipe(
      before.found,
      TE.chainTaskK((known) => compare(known, found)),
      TE.map((continued) => ({ comparedWith: before.comparedWith, continued })),
    );
  };
  const compared = (written: Written, left = attempts): ReturnType<typeof perform> =>
    pipe(
      load,
      TE.chain(({ state }) => align(state)),
      TE.chainW((alignment) => perform(written, alignment)),
      TE.orElse((refusal) =>
        refusal._tag === 'ComparedWithOthers' && left > 0 ? compared(written, left - 1) : TE.left(refusal),
      ),
    );
  const written = pipe(
    load,
    TE.chain(({ state }) => writeEvidence(state)),
  );
  return pipe(
    changes,
    TE.chain((events) => (events.length === 0 ? perform(none, null) : pipe(written, TE.chainW(compared)))),
    TE.map(({ recorded }) => renumberingIn(recorded)),
  );
};
