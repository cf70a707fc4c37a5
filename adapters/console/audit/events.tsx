import { useState } from 'preact/hooks';
import type { LoggedEvent } from '../../client/index.js';
import { Check, Field, Form } from '../fields.js';
import { date, withoutZeros } from '../format.js';
import { pollMs, useQuery } from '../hooks.js';
import { fieldOf, isFields } from '../json.js';
import { useClient } from '../session.js';
import { Action, Button, Facts, LoadedList } from '../ui.js';

/** Labels of keys, by id; null for keys without one. */
type Labels = ReadonlyMap<string, string | null>;

/** Who caused an event: the label of the key, or the account and the key. */
const whoOf = ({ actor }: LoggedEvent, labels: Labels): string => {
  if (actor === null) return 'the service';
  return labels.get(actor.key_id) ?? `${actor.account_id}, key ${actor.key_id}`;
};

/** One event: opened, it shows everything that is known of it. */
const EventEntry = ({
  event,
  labels,
  onRequest,
}: {
  readonly event: LoggedEvent;
  readonly labels: Labels;
  readonly onRequest: (request_id: string) => void;
}) => {
  const { position, revision, event_id, stream, type, version, at, actor, request_id, causation_id, data } = event;
  const facts: Parameters<typeof Facts>[0]['facts'] = [
    [
      'Request',
      request_id === null ? null : <Button text={request_id} kind="link" onPress={() => onRequest(request_id)} />,
    ],
    ['Account', actor?.account_id ?? 'the service'],
    ['Key', actor === null ? null : `${labels.get(actor.key_id) ?? 'without a label'} (${actor.key_id})`],
    ['Cause', causation_id],
    ['Event id', event_id],
    [
      'Place',
      `${stream}, revision ${revision}; position ${withoutZeros(position)} of the log; version ${version} of the type`,
    ],
    ['Content', event.erased === true ? 'erased' : event.key_missing === true ? 'its encryption key is missing' : null],
  ];
  return (
    <li>
      <details>
        <summary>
          <strong>{type}</strong> {stream}{' '}
          <span class="quiet">
            {date(at)} by {whoOf(event, labels)}, position {withoutZeros(position)}
          </span>
        </summary>
        <Facts kind="known" facts={facts} />
        <pre>{JSON.stringify(data, null, 2)}</pre>
      </details>
    </li>
  );
};

/** The text filters, with their placeholders. */
const texts = [
  ['stream', 'video-…'],
  ['category', 'video'],
  ['type', 'FacesMatched'],
  ['actor', 'account or key'],
  ['request_id', ''],
] as const;
const times = ['from', 'to'] as const;
type FilterName = (typeof texts)[number][0] | (typeof times)[number];
type Filters = Readonly<Partial<Record<FilterName, string>>>;
const pageSize = 50;

/** The label of a filter, such as `Request id`. */
const titleOf = (field: FilterName): string => field.charAt(0).toUpperCase() + field.slice(1).replace('_', ' ');

/** The event types that the service describes, without their versions. */
const fetchTypes = async (signal: AbortSignal): Promise<ReadonlyArray<string>> => {
  const described: unknown = await (await fetch('/asyncapi.json', { signal })).json();
  const messages = fieldOf(fieldOf(described, 'components'), 'messages');
  const names = isFields(messages) ? Object.keys(messages) : [];
  return [...new Set(names.flatMap((name) => /^(\w+)\.v\d+$/.exec(name)?.[1] ?? []))].toSorted();
};

/** The labels of the keys that caused events. The keys of their accounts are fetched when another key is among them. */
const useLabels = (events: ReadonlyArray<LoggedEvent> | null): Labels => {
  const client = useClient();
  const actors = events?.flatMap(({ actor }) => actor ?? []) ?? [];
  const { answer } = useQuery(
    async (signal) => {
      const accounts = [...new Set(actors.map(({ account_id }) => account_id))];
      const keysOf = (account_id: string) => client.keys.list(account_id, { limit: 1_000 }, { signal }).toArray();
      const keys = await Promise.all(accounts.map((account_id) => keysOf(account_id).catch(() => [])));
      return new Map(keys.flat().map(({ key_id, label }) => [key_id, label]));
    },
    [[...new Set(actors.map(({ key_id }) => key_id))].toSorted().join()],
  );
  return answer ?? new Map();
};

/** The event log with filters, newest first. */
export const Events = () => {
  const client = useClient();
  const [filters, setFilters] = useState<Filters>({});
  /** The texts in the fields, which become filters when the user leaves a field. */
  const [drafts, setDrafts] = useState<Filters>({});
  const [isAll, setAll] = useState(false);
  const [length, setLength] = useState(pageSize);
  const types = useQuery(fetchTypes, []);
  const knownTypes = types.answer ?? [];
  const wanted = Object.fromEntries(
    Object.entries(filters)
      .filter(([, value]) => value !== '')
      // The user chooses a local time.
      .map(([field, value]) => [field, field === 'from' || field === 'to' ? new Date(value).toISOString() : value]),
  );
  const query = useQuery(
    (signal) =>
      client.audit
        .events(
          { ...wanted, ...(isAll ? {} : { hide: 'bookkeeping' }), order: 'desc', limit: Math.min(1_000, length) },
          { signal },
        )
        .toArray(length),
    [JSON.stringify(wanted), isAll, length],
    pollMs,
  );
  const labels = useLabels(query.answer);
  const change = (field: FilterName, value: string): void => {
    const text = value.trim();
    const known = field === 'type' ? knownTypes.find((type) => type.toLowerCase() === text.toLowerCase()) : undefined;
    setDrafts((before) => ({ ...before, [field]: known ?? text }));
    setFilters((before) => ({ ...before, [field]: known ?? text }));
  };
  return (
    <div class="events">
      <Form class="filters" role="search">
        {texts.map(([field, example]) => (
          <Field
            key={field}
            label={titleOf(field)}
            value={drafts[field] ?? ''}
            placeholder={example}
            list={field === 'type' ? 'types' : undefined}
            onText={(text) => setDrafts({ ...drafts, [field]: text })}
            onChange={(event) => change(field, event.currentTarget.value)}
          />
        ))}
        <datalist id="types">
          {knownTypes.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        {times.map((field) => (
          <Field
            key={field}
            label={titleOf(field)}
            type="datetime-local"
            value={filters[field] ?? ''}
            onChange={(event) => change(field, event.currentTarget.value)}
          />
        ))}
        <Check checked={isAll} onChange={setAll}>
          with the bookkeeping of repeated requests
        </Check>
      </Form>
      <LoadedList query={query} empty="No events match these filters.">
        {(events) => (
          <>
            <ol class="history">
              {events.map((event) => (
                <EventEntry
                  key={event.event_id}
                  event={event}
                  labels={labels}
                  onRequest={(request_id) => change('request_id', request_id)}
                />
              ))}
            </ol>
            {events.length === length && <Action text="Show more" run={async () => setLength(length + pageSize)} />}
          </>
        )}
      </LoadedList>
    </div>
  );
};
