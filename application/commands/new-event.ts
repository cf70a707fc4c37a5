import { storedType, versionOf } from '../../domain/event-catalogue.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { Subject } from '../../domain/kernel/subject.js';
import { subjectsOf } from '../../domain/personal-data.js';
import type { EventMetadata } from '../../domain/kernel/recorded-event.js';
import type { AnyEvent } from './fold.js';
import type { CommandContext } from './context.js';
import type { NewEvent } from '../ports/event-store.js';
import type { Folded } from './cache.js';

export const metadataOf = (context: CommandContext, type: string): EventMetadata => ({
  actor: context.actor,
  correlation_id: context.correlation_id,
  causation_id: context.causation_id,
  schema_version: versionOf(type),
  recorded_at: context.at,
});

/** The n-th event of a command as a store takes it; `about`: whom it tells of beside whom the stream belongs to. */
export const toNewEvent = (
  { type, data }: AnyEvent,
  context: CommandContext,
  index: number,
  stream: string,
  about: ReadonlyArray<Subject> = [],
): NewEvent => ({
  id: context.event_id(index),
  type: storedType(type),
  data,
  metadata: { ...metadataOf(context, type) },
  subjects: subjectsOf(type, stream, about),
});

/** A decision that is to be kept, on the fold that it was made on. */
export interface Decided<Command, State, Event> {
  readonly stream: string;
  readonly command: Command;
  readonly folded: Folded<State>;
  readonly events: ReadonlyArray<Event>;
  readonly context: CommandContext;
}

/** What was decided, as the store takes it, and the state that it leads to. */
export const newEvents = <Command, State, Event extends AnyEvent, Refusal>(
  { about = () => [], evolve }: Decider<Command, State, Event, Refusal>,
  { stream, command, folded, events, context }: Decided<Command, State, Event>,
): { readonly created: ReadonlyArray<NewEvent>; readonly state: State } => {
  let { state } = folded;
  const created = events.map((event, index) => {
    const next = toNewEvent(event, context, index, stream, about(state, event, command));
    state = evolve(state, event);
    return next;
  });
  return { created, state };
};
