import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { InParts } from './in-parts.js';
import type { Subject } from './subject.js';

/**
 * One aggregate: what it is before anything happened, what each event makes of it, and what each command
 * makes happen. Both functions are total and pure; a refusal is a value.
 */
export interface Decider<Command, State, Event, Refusal> {
  /** The part of a stream name before its first hyphen. */
  readonly category: string;
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /** How much memory a state takes, where some take many times that of a usual one, which is 1. */
  readonly weight?: (state: State) => number;
  /** Whom an event tells something of, beside whom its stream belongs to; the state is the one before the event. */
  readonly about?: (state: State, event: Event, command: Command) => ReadonlyArray<Subject>;
  /** How a state is kept apart from its events, for streams that grow for ever. Absent: the events are few. */
  readonly snapshot?: {
    /** Raised with each change of the state's shape, or of what events make of it: earlier snapshots are then ignored. */
    readonly version: number;
    readonly codec: t.Type<State, unknown>;
  };
  readonly decide: (command: Command, state: State) => E.Either<Refusal, ReadonlyArray<Event>>;
  /** Decides the same in parts, where that may take long. */
  readonly decideInParts?: (command: Command, state: State) => InParts<E.Either<Refusal, ReadonlyArray<Event>>>;
}

/** The decision that these events happen, in this order. */
export const record = <Event>(...events: ReadonlyArray<Event>): E.Either<never, ReadonlyArray<Event>> =>
  E.right(events);

/** The decision that a command changes nothing. */
export const nothing: E.Either<never, ReadonlyArray<never>> = E.right([]);

/** Tells some of the refusals of an aggregate from others, by their tags. */
export const refusalIn =
  <Refusal extends { readonly _tag: string }>() =>
  <Tag extends Refusal['_tag']>(...tags: ReadonlyArray<Tag>) =>
  (refusal: { readonly _tag: string }): refusal is Extract<Refusal, { readonly _tag: Tag }> =>
    tags.some((tag) => tag === refusal._tag);

/** The decision that a command is refused, with the facts that refuse it. */
export const refuse = <Refusal>(refusal: Refusal): E.Either<Refusal, never> => E.left(refusal);
