import { useState } from 'preact/hooks';
import {
  ApiError,
  type HistoryEvent,
  type MediaAnalysis,
  type RevertBody,
  type RevertedChange,
} from '../../client/index.js';
import { date, messageOf } from '../format.js';
import { useQuery } from '../hooks.js';
import { fieldOf } from '../json.js';
import { Action, Notice, Loaded } from '../ui.js';
import { summaryOf, isRevertible, titleOf } from './explain.js';

const listOf = (list: RevertedChange['reverted']): string =>
  list
    .map(({ record, id, fields }) => `${record} ${id} (${fields.map((one) => one.replace('_id', '')).join(', ')})`)
    .join('; ');

/** What an undo did not restore, in words; empty if it restored everything. */
export const changedSince = ({ changed_since }: RevertedChange): string =>
  changed_since.length === 0 ? '' : `Not undone, because it was changed again since: ${listOf(changed_since)}.`;

const previewOf = (change: RevertedChange): string =>
  `Undoing this would restore ${change.reverted.length === 0 ? 'nothing' : listOf(change.reverted)}. ${changedSince(change)}`;

/** An event of the video or the audio of a recording. */
export interface RecordEvent {
  readonly event: HistoryEvent;
  readonly of: 'video' | 'audio';
}

/** All events of a record, oldest first. */
export async function* eventsOf(
  client: MediaAnalysis,
  of: RecordEvent['of'],
  id: string,
  signal: AbortSignal,
): AsyncGenerator<RecordEvent> {
  const events = of === 'video' ? client.videos.history(id, {}, { signal }) : client.audios.history(id, {}, { signal });
  for await (const event of events) yield { event, of };
}

/** Time, author and changes of an event. */
export const EventSummary = ({ recordEvent: { event, of } }: { readonly recordEvent: RecordEvent }) => (
  <div>
    <strong>{titleOf(event)}</strong>{' '}
    <span class="quiet">
      {of}, {date(event.at)} by {event.actor?.account_id ?? 'the service'}
    </span>
    {summaryOf(event).map((line) => (
      <div key={line}>{line}</div>
    ))}
  </div>
);

interface Props {
  readonly client: MediaAnalysis;
  readonly video_id: string;
  readonly audio_id: string | null;
  /** Different after each change of either record. */
  readonly version: string;
  readonly onChange: () => Promise<void>;
}

type EntryProps = Omit<Props, 'version'> & { readonly recordEvent: RecordEvent };

const Entry = ({ recordEvent, client, video_id, audio_id, onChange }: EntryProps) => {
  const { event, of } = recordEvent;
  const [preview, setPreview] = useState<string | null>(null);
  const { position, data } = event;
  const title = titleOf(event);
  const revert = (body: RevertBody) =>
    of === 'audio' && audio_id !== null
      ? client.audios.revert(audio_id, position, body)
      : client.videos.revert(video_id, position, body);
  const look = async (): Promise<void> => {
    try {
      setPreview(previewOf(await revert({ dry_run: true })));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setPreview(messageOf(error));
    }
  };
  const isLate = fieldOf(data, 'late_write_suspected') === true;
  return (
    <li>
      <div>
        <EventSummary recordEvent={recordEvent} />
        {isLate && <Notice tone="wait">This result may belong to an older run. Check what it changed.</Notice>}
      </div>
      {isRevertible(event) && (
        <div class="actions">
          <Action kind="small" label={`Preview undo ${title}`} run={look}>
            Preview undo
          </Action>
          <Action
            kind="small"
            label={`Undo ${title}`}
            run={async () => {
              const left = changedSince(await revert({}));
              setPreview(left === '' ? null : left);
              await onChange();
            }}
          >
            Undo
          </Action>
        </div>
      )}
      {preview !== null && <Notice tone="wait">{preview}</Notice>}
    </li>
  );
};

const maxEvents = 30;

const byPosition = (one: RecordEvent, other: RecordEvent): number =>
  one.event.position < other.event.position ? 1 : -1;

/** The newest changes of a video and its audio, newest first, with buttons to preview an undo and to undo. */
export const History = ({ version, ...entry }: Props) => {
  const { client, video_id, audio_id } = entry;
  const query = useQuery(
    async (signal) => {
      const newestOf = async (of: RecordEvent['of'], id: string): Promise<ReadonlyArray<RecordEvent>> => {
        const newest: RecordEvent[] = [];
        for await (const recordEvent of eventsOf(client, of, id, signal)) {
          newest.push(recordEvent);
          if (newest.length > maxEvents) newest.shift();
        }
        return newest;
      };
      const both = [newestOf('video', video_id), ...(audio_id === null ? [] : [newestOf('audio', audio_id)])];
      return (await Promise.all(both)).flat().sort(byPosition).slice(0, maxEvents);
    },
    [video_id, audio_id, version],
  );
  return (
    <Loaded query={query}>
      {(recordEvents) => (
        <ol class="history">
          {recordEvents.map((recordEvent) => (
            <Entry key={recordEvent.event.event_id} recordEvent={recordEvent} {...entry} />
          ))}
        </ol>
      )}
    </Loaded>
  );
};
