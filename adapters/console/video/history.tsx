import { useState } from 'preact/hooks';
import { ApiError, type MediaAnalysis, type HistoryEvent, type RevertedChange } from '../../client/index.js';
import { date, words } from '../format.js';
import { useAsked } from '../hooks.js';
import { Action, Notice, Shown } from '../ui.js';
import { explained, isRevertible, titleOf } from './explain.js';

const told = (list: RevertedChange['reverted']): string =>
  list.map(({ record, id, fields }) => `${record} ${id} (${fields.join(', ')})`).join('; ');

const listed = ({ reverted, changed_since }: Pick<RevertedChange, 'reverted' | 'changed_since'>): string => {
  const left = changed_since.length === 0 ? '' : ` Changed since, and left as it is: ${told(changed_since)}.`;
  return `${reverted.length === 0 ? 'Nothing' : told(reverted)} would be put back.${left}`;
};

interface Props {
  readonly client: MediaAnalysis;
  readonly video_id: string;
  readonly revision: number | null;
  readonly onChange: () => Promise<void>;
}

const Entry = ({ event, client, video_id, onChange }: Omit<Props, 'revision'> & { readonly event: HistoryEvent }) => {
  const [preview, setPreview] = useState<string | null>(null);
  const { position, at, actor, data } = event;
  const title = titleOf(event);
  const look = async (): Promise<void> => {
    try {
      setPreview(listed(await client.videos.revert(video_id, position, { dry_run: true })));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setPreview(words(error));
    }
  };
  const isLate = data !== null && typeof data === 'object' && Reflect.get(data, 'late_write_suspected') === true;
  return (
    <li>
      <div>
        <strong>{title}</strong>{' '}
        <span class="quiet">
          {date(at)} by {actor?.account_id ?? 'nobody'}
        </span>
        {explained(event).map((line) => (
          <div key={line}>{line}</div>
        ))}
        {isLate && <Notice tone="wait">This answer may be that of an older run: look at what it changed.</Notice>}
      </div>
      {isRevertible(event) && (
        <div class="actions">
          <Action kind="small" label={`What undoing ${title} would do`} run={look}>
            What would undo do?
          </Action>
          <Action
            kind="small"
            label={`Undo ${title}`}
            run={async () => {
              await client.videos.revert(video_id, position);
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

/** The newest changes of a video, each with what undoing it would do. */
export const History = ({ client, video_id, revision, onChange }: Props) => {
  const asked = useAsked(
    async (signal) => {
      const events: HistoryEvent[] = [];
      for await (const event of client.videos.history(video_id, {}, { signal })) {
        events.push(event);
        if (events.length > most) events.shift();
      }
      return events.toReversed();
    },
    [video_id, revision],
  );
  return (
    <Shown asked={asked}>
      {(events) => (
        <ol class="history">
          {events.map((event) => (
            <Entry key={event.event_id} event={event} client={client} video_id={video_id} onChange={onChange} />
          ))}
        </ol>
      )}
    </Shown>
  );
};
