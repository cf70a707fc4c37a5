import { useState } from 'preact/hooks';
import {
  ApiError,
  type HistoryEvent,
  type MediaAnalysis,
  type RevertBody,
  type RevertedChange,
} from '../../client/index.js';
import { date, words } from '../format.js';
import { useAsked } from '../hooks.js';
import { fieldOf } from '../json.js';
import { Action, Notice, Shown } from '../ui.js';
import { explained, isRevertible, titleOf } from './explain.js';

const told = (list: RevertedChange['reverted']): string =>
  list
    .map(({ record, id, fields }) => `${record} ${id} (${fields.map((one) => one.replace('_id', '')).join(', ')})`)
    .join('; ');

/** What an undo left alone, in words; nothing where there is no such thing. */
export const changedSince = ({ changed_since }: RevertedChange): string =>
  changed_since.length === 0 ? '' : `Changed since, and left as it is: ${told(changed_since)}.`;

const listed = (change: RevertedChange): string =>
  `${change.reverted.length === 0 ? 'Nothing' : told(change.reverted)} would be put back. ${changedSince(change)}`;

/** What happened to one of the two records of a recording. */
export interface Happening {
  readonly event: HistoryEvent;
  readonly of: 'video' | 'audio';
}

/** All that happened to a record, oldest first. */
export async function* happeningsOf(
  client: MediaAnalysis,
  of: Happening['of'],
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Happening> {
  const events = of === 'video' ? client.videos.history(id, {}, { signal }) : client.audios.history(id, {}, { signal });
  for await (const event of events) yield { event, of };
}

/** When it was, who did it, and what it changed. */
export const Told = ({ happening: { event, of } }: { readonly happening: Happening }) => (
  <div>
    <strong>{titleOf(event)}</strong>{' '}
    <span class="quiet">
      {of}, {date(event.at)} by {event.actor?.account_id ?? 'nobody'}
    </span>
    {explained(event).map((line) => (
      <div key={line}>{line}</div>
    ))}
  </div>
);

interface Props {
  readonly client: MediaAnalysis;
  readonly video_id: string;
  readonly audio_id: string | null;
  /** Changes with each change of either record. */
  readonly version: string;
  readonly onChange: () => Promise<void>;
}

type EntryProps = Omit<Props, 'version'> & { readonly happening: Happening };

const Entry = ({ happening, client, video_id, audio_id, onChange }: EntryProps) => {
  const { event, of } = happening;
  const [preview, setPreview] = useState<string | null>(null);
  const { position, data } = event;
  const title = titleOf(event);
  const revert = (body: RevertBody) =>
    of === 'audio' && audio_id !== null
      ? client.audios.revert(audio_id, position, body)
      : client.videos.revert(video_id, position, body);
  const look = async (): Promise<void> => {
    try {
      setPreview(listed(await revert({ dry_run: true })));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setPreview(words(error));
    }
  };
  const isLate = fieldOf(data, 'late_write_suspected') === true;
  return (
    <li>
      <div>
        <Told happening={happening} />
        {isLate && <Notice tone="wait">This answer may be that of an older run: look at what it changed.</Notice>}
      </div>
      {isRevertible(event) && (
        <div class="actions">
          <Action kind="small" label={`What would undo do? ${title}`} run={look}>
            What would undo do?
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

const most = 30;

const byPosition = (one: Happening, other: Happening): number => (one.event.position < other.event.position ? 1 : -1);

/** The newest changes of a video and its audio, newest first, each with what undoing it would do. */
export const History = ({ version, ...entry }: Props) => {
  const { client, video_id, audio_id } = entry;
  const asked = useAsked(
    async (signal) => {
      const newestOf = async (of: Happening['of'], id: string): Promise<ReadonlyArray<Happening>> => {
        const newest: Happening[] = [];
        for await (const happening of happeningsOf(client, of, id, signal)) {
          newest.push(happening);
          if (newest.length > most) newest.shift();
        }
        return newest;
      };
      const both = [newestOf('video', video_id), ...(audio_id === null ? [] : [newestOf('audio', audio_id)])];
      return (await Promise.all(both)).flat().sort(byPosition).slice(0, most);
    },
    [video_id, audio_id, version],
  );
  return (
    <Shown asked={asked}>
      {(happenings) => (
        <ol class="history">
          {happenings.map((happening) => (
            <Entry key={happening.event.event_id} happening={happening} {...entry} />
          ))}
        </ol>
      )}
    </Shown>
  );
};
