import * as TE from 'fp-ts/lib/TaskEither.js';
import { storedVersions } from '../../../domain/event-catalogue.js';
import type { AccountId, AudioId, VideoId } from '../../../domain/kernel/ids.js';
import { readLog } from '../../audit/read-log.js';
import * as E from 'fp-ts/lib/Either.js';
import { EventMetadata } from '../../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import { type EventSelection, everyEvent } from '../../../projections/event-selection.js';
import type { ListedRun, Listing, Queries } from '../../../projections/queries.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import { readEvent } from '../../commands/read-event.js';
import { type SelectedEvents, readSelection } from '../../queries/selections.js';
import { orInterrupt } from './interrupted.js';

/** The actor of erasures by retention. */
export const retentionActor = 'retention';

/** Where retention reads from. */
export interface Sources {
  readonly store: EventStore;
  readonly queries: Queries;
}

/** An account's rule: its media are erased after this number of days without an event. */
export interface RetentionRule {
  readonly account_id: AccountId;
  readonly days: number;
  /** The id of the event that set the rule. */
  readonly set_by: string;
}

/** The current rules. Throws `Interrupted`. */
export const retentionRules = async (store: EventStore): Promise<ReadonlyArray<RetentionRule>> => {
  const rules = new Map<AccountId, RetentionRule>();
  for await (const page of readLog(store, { types: storedVersions('RetentionSet') }))
    for (const stored of await orInterrupt(TE.fromEither(page))) {
      const { event, event_id } = await orInterrupt(TE.fromEither(readEvent(stored)));
      if (event.type !== 'RetentionSet') continue;
      const { account_id, days } = event.data;
      if (days === null) rules.delete(account_id);
      else rules.set(account_id, { account_id, days, set_by: event_id });
    }
  return [...rules.values()];
};

/** A video with its audio, or one of the two alone. */
export interface Group {
  readonly video_id: VideoId | null;
  readonly audio_id: AudioId | null;
}

const limit = 1_000;

/** The events of a selection. Throws `Interrupted`. */
export async function* selected(
  { store, queries }: Sources,
  selection: Partial<EventSelection>,
): AsyncGenerator<StoredEvent, void> {
  for (let cursor: string | null = null; ;) {
    const asked = readSelection(store, queries, { ...everyEvent, ...selection }, { limit, cursor, until: null });
    const page: SelectedEvents = await orInterrupt(asked);
    yield* page.events;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** An erasure by retention also writes to the linked record; this does not count as use. */
const isUse = ({ metadata }: StoredEvent): boolean => {
  const known = EventMetadata.decode(metadata);
  return E.isLeft(known) || known.right.actor.key_id !== retentionActor;
};

const isUsedSince = async (sources: Sources, stream: string, from: Timestamp): Promise<boolean> => {
  for await (const event of selected(sources, { stream, from })) if (isUse(event)) return true;
  return false;
};

const streamsOf = async ({ queries }: Sources, { video_id, audio_id }: Group): Promise<ReadonlyArray<string>> => {
  const streams = audio_id === null ? [] : ['audio', 'speakerTurns', 'transcript'].map((kind) => `${kind}-${audio_id}`);
  if (video_id === null) return streams;
  streams.push(`video-${video_id}`, `faceTracks-${video_id}`);
  for (let cursor: string | null = null; ;) {
    const runs: Listing<ListedRun> = await orInterrupt(queries.matchRuns(video_id, { limit, cursor }));
    streams.push(...runs.items.map(({ run_id }) => `matchRun-${run_id}`));
    if (runs.next_cursor === null) return streams;
    cursor = runs.next_cursor;
  }
};

/** Whether names were inferred for a group's audio since a time. */
const isInferredSince = async ({ queries }: Sources, { audio_id }: Group, from: Timestamp): Promise<boolean> =>
  audio_id !== null && ((await orInterrupt(queries.audio(audio_id)))?.inferred_at ?? '') >= from;

/** Whether the streams, match runs or name inferences of a group have events since a time. Throws `Interrupted`. */
export const isUsed = async (sources: Sources, group: Group, from: Timestamp): Promise<boolean> => {
  if (await isInferredSince(sources, group, from)) return true;
  for (const stream of await streamsOf(sources, group)) if (await isUsedSince(sources, stream, from)) return true;
  return false;
};
