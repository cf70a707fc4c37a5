import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { Subject } from './recorded-event.js';

/**
 * An aggregate: its initial state, how events change the state, and which events a command causes. Both functions are
 * total and pure; a refusal is returned as a value.
 */
export interface Decider<Command, State, Event, Refusal> {
  /** The stream name up to its first hyphen. */
  readonly category: string;
  readonly initial: State;
  /** `revision`: that of the event in its stream. */
  readonly evolve: (state: State, event: Event, revision: number) => State;
  /**
   * The subjects that an event concerns besides the owner of its stream. `state` is the state before the event; the command is
   * null for an event of a log.
   */
  readonly about?: (state: State, event: Event, command: Command | null) => ReadonlyArray<Subject>;
  /** How snapshots of the state are stored, for streams that grow without limit. Absent: streams are short. */
  readonly snapshot?: {
    /** Raise it whenever the state's shape or `evolve` changes: older snapshots are then ignored. */
    readonly version: number;
    readonly codec: t.Type<State, unknown>;
  };
  readonly decide: (command: Command, state: State) => E.Either<Refusal, ReadonlyArray<Event>>;
}

/** A command of this type. Many ask for an event with the same data. */
export type CommandOf<Type extends string, Data> = { readonly type: Type } & Readonly<Data>;

/** A refusal or failure with this tag. */
export type Tagged<Tag extends string = string, Facts = unknown> = { readonly _tag: Tag } & Readonly<Facts>;

/** What a command says, without its type. */
export const dataOf = <Command extends { readonly type: string }>({ type: _type, ...data }: Command) => data;

/** Decision: these events happen, in this order. */
export const record = <Event>(...events: ReadonlyArray<Event>): E.Either<never, ReadonlyArray<Event>> =>
  E.right(events);

/** Decision: the command changes nothing. */
export const nothing: E.Either<never, ReadonlyArray<never>> = E.right([]);

/** Decision: the command is refused for this reason. */
export const refuse = <Refusal>(refusal: Refusal): E.Either<Refusal, never> => E.left(refusal);
