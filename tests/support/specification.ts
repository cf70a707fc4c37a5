import { inspect } from 'node:util';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { decodeEvent, storedType } from '../../domain/event-catalogue.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';

export interface AnyEvent {
  readonly type: string;
  readonly data: JsonObject;
}

type Case<Command, Event, Refusal> = readonly [when: Command, then: ReadonlyArray<Event> | Refusal];

/** After given events. */
interface Given<Command, State, Event, Refusal> {
  readonly state: () => State;
  /** What happens at a command that is not refused. */
  readonly events: (command: Command) => ReadonlyArray<Event>;
  /** The state after such a command. */
  readonly after: (command: Command) => State;
  /** Several commands, each on the given events: exactly these events happen, in this order, or it is refused so. */
  readonly cases: (...rows: ReadonlyArray<Case<Command, Event, Refusal>>) => void;
  /** A test for each title: a command on the given events. */
  readonly tests: (byTitle: Readonly<Record<string, Case<Command, Event, Refusal>>>) => void;
}

interface Specification<Command, State, Event, Refusal> {
  readonly given: (...events: ReadonlyArray<Event>) => Given<Command, State, Event, Refusal>;
}

const accepted = <Refusal, Event>(decision: E.Either<Refusal, ReadonlyArray<Event>>): ReadonlyArray<Event> => {
  if (E.isLeft(decision)) throw new Error(`refused: ${inspect(decision.left)}`);
  return decision.right;
};

const isRefusal = <Refusal>(then: ReadonlyArray<unknown> | Refusal): then is Refusal => !Array.isArray(then);

/** The log gives back what the decision said, to the letter. */
export const expectReadable = ({ type, data }: AnyEvent): void => {
  const stored: unknown = JSON.parse(JSON.stringify(data));
  expect(decodeEvent(storedType(type), stored)).to.deep.equal(E.right({ type, data }));
};

const isRegistered = <State extends { readonly _tag: string }>(
  state: State,
): state is Extract<State, { readonly _tag: 'Registered' }> => state._tag === 'Registered';

/** A video or an audio as it is. */
export const registeredIn = <State extends { readonly _tag: string }>(
  state: State,
): Extract<State, { readonly _tag: 'Registered' }> => {
  if (isRegistered(state)) return state;
  throw new Error(`it is ${state._tag}`);
};

/**
 * Given these events, when this command comes, then that happens. Every use also holds the decision to what is true
 * of all decisions: it is the same each time, it leaves the state that it was made on alone, its events can be read
 * back from a log, and a command that states how things are to be finds nothing to do the second time: `again` is
 * that second command, null where a repetition means something new.
 */
export const specification = <
  Command extends { readonly type: string },
  State,
  Event extends AnyEvent,
  Refusal extends object,
>(
  decider: Decider<Command, State, Event, Refusal>,
  again: (command: Command, recorded: ReadonlyArray<Event>) => Command | null,
): Specification<Command, State, Event, Refusal> => ({
  given: (...events) => {
    const fold = (all: ReadonlyArray<Event>): State => all.reduce(decider.evolve, decider.initial);
    const state = fold(events);
    const decide = (command: Command): E.Either<Refusal, ReadonlyArray<Event>> => {
      const decision = decider.decide(command, state);
      expect(decider.decide(command, fold(events)), 'the same decision each time').to.deep.equal(decision);
      expect(state, 'the state is left alone').to.deep.equal(fold(events));
      return decision;
    };
    const happening = (command: Command): ReadonlyArray<Event> => {
      const recorded = accepted(decide(command));
      recorded.forEach(expectReadable);
      const repetition = again(command, recorded);
      if (repetition !== null)
        expect(accepted(decider.decide(repetition, fold([...events, ...recorded]))), 'repeated').to.deep.equal([]);
      return recorded;
    };
    const cases = (...rows: ReadonlyArray<Case<Command, Event, Refusal>>): void =>
      rows.forEach(([command, then]) => {
        if (isRefusal(then)) expect(decide(command)).to.deep.equal(E.left(then));
        else expect(happening(command)).to.deep.equal(then);
      });
    return {
      state: () => state,
      events: happening,
      after: (command) => fold([...events, ...happening(command)]),
      cases,
      tests: (byTitle) => Object.entries(byTitle).forEach(([title, row]) => it(title, () => cases(row))),
    };
  },
});
