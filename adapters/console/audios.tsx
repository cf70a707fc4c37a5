import { useState } from 'preact/hooks';
import type { AudioRecord, MediaAnalysis } from '../client/index.js';
import { date, number } from './format.js';
import { useQuery } from './hooks.js';
import { Loaded } from './ui.js';
import { Status } from './video/status.js';

/** Which audios to list. */
interface Filters {
  readonly title?: string;
  readonly status?: AudioRecord['status'];
}

const maxRead = 1_000;

/** The audios without a video. The service does not filter by that, so the newest 1,000 are read. */
const fetchAudios = async (client: MediaAnalysis, filters: Filters, signal: AbortSignal) => {
  const all = await client.audios.list({ ...filters, limit: maxRead }, { signal }).toArray(maxRead);
  return { audios: all.filter(({ video_id }) => video_id === null), isCut: all.length === maxRead };
};

const List = ({
  client,
  filters,
  withOwner,
}: {
  readonly client: MediaAnalysis;
  readonly filters: Filters;
  readonly withOwner: boolean;
}) => {
  const query = useQuery((signal) => fetchAudios(client, filters, signal), [JSON.stringify(filters)]);
  return (
    <Loaded query={query}>
      {({ audios, isCut }) => (
        <>
          <ul class="names">
            {audios.map(({ audio_id, owner_id, title, status, speakers, updated_at }) => (
              <li key={audio_id} class="actions">
                <a href={`#/audios/${encodeURIComponent(audio_id)}`}>{title ?? audio_id}</a>
                <Status video={null} audio={{ status }} />
                <span class="quiet">
                  {withOwner && `${owner_id}, `}
                  {number(speakers.length)} speakers, {date(updated_at)}
                </span>
              </li>
            ))}
          </ul>
          <p class="quiet">
            {audios.length === 0 && 'No audio without a video matches the filters. '}
            {isCut && `Only the newest ${number(maxRead)} audios were searched: filter by title to find others.`}
          </p>
        </>
      )}
    </Loaded>
  );
};

/** The audios without a video, listed when the user opens the section. */
export const Audios = (props: Parameters<typeof List>[0]) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="part" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Audios without a video</summary>
      {isOpen && <List {...props} />}
    </details>
  );
};
