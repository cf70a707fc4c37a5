import { useState } from 'preact/hooks';
import type { VideoRecord } from '../client/index.js';
import { date } from './format.js';
import { useAsked, useEvery } from './hooks.js';
import { ImportFiles } from './import-files.js';
import type { Session } from './session.js';
import { Action, Badge, Part, Shown } from './ui.js';

const pageLength = 50;
const every_ms = 1_000;

interface Filters {
  readonly title: string;
  readonly status: '' | VideoRecord['status'];
  readonly needs_review: boolean;
  readonly sort: 'created_at' | 'updated_at' | 'title';
}

const statuses: ReadonlyArray<VideoRecord['status']> = ['queue', 'processing', 'completed', 'failed'];
const isStatus = (text: string): text is VideoRecord['status'] => statuses.some((status) => status === text);
const sorts = { created_at: 'newest first', updated_at: 'last changed first', title: 'by title' } as const;
const isSort = (text: string): text is keyof typeof sorts => text in sorts;

const toneOf = (status: VideoRecord['status']) =>
  status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'wait';

const Row = ({ video }: { readonly video: VideoRecord }) => {
  const matched = video.faces.filter(({ speaker_id }) => speaker_id !== null).length;
  const open = video.speaker_face_match.suggestions?.mappings.length ?? 0;
  return (
    <tr>
      <th scope="row">
        <a href={`#/videos/${encodeURIComponent(video.video_id)}`}>{video.title ?? video.video_id}</a>
      </th>
      <td>
        <Badge tone={toneOf(video.status)}>{video.status}</Badge>
      </td>
      <td class="number">{video.faces.length}</td>
      <td class="number">{matched}</td>
      <td>
        {video.speaker_face_match.status === 'queue' ? (
          <Badge tone="wait">run in flight</Badge>
        ) : open > 0 ? (
          <Badge>{open} suggested</Badge>
        ) : null}
      </td>
      <td class="quiet">{date(video.updated_at)}</td>
    </tr>
  );
};

const FilterBar = ({ filters, onChange }: { readonly filters: Filters; readonly onChange: (f: Filters) => void }) => (
  <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
    <label>
      Title
      <input
        type="search"
        value={filters.title}
        onInput={(e) => onChange({ ...filters, title: e.currentTarget.value })}
      />
    </label>
    <label>
      Status
      <select
        value={filters.status}
        onChange={({ currentTarget: { value } }) => onChange({ ...filters, status: isStatus(value) ? value : '' })}
      >
        <option value="">any</option>
        {statuses.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
    </label>
    <label>
      Order
      <select
        value={filters.sort}
        onChange={({ currentTarget: { value } }) => isSort(value) && onChange({ ...filters, sort: value })}
      >
        {Object.entries(sorts).map(([sort, text]) => (
          <option key={sort} value={sort}>
            {text}
          </option>
        ))}
      </select>
    </label>
    <label class="check">
      <input
        type="checkbox"
        checked={filters.needs_review}
        onChange={(event) => onChange({ ...filters, needs_review: event.currentTarget.checked })}
      />
      needs review
    </label>
  </form>
);

/** All videos of the account (an admin's: of all), filtered and sorted by the service. */
export const Videos = ({ session: { client, mayImport } }: { readonly session: Session }) => {
  const [filters, setFilters] = useState<Filters>({ title: '', status: '', needs_review: false, sort: 'created_at' });
  const [length, setLength] = useState(pageLength);
  const { title, status, needs_review, sort } = filters;
  const asked = useAsked(
    async (signal) => {
      const query = { sort, limit: length, ...(title === '' ? {} : { title }), ...(status === '' ? {} : { status }) };
      const list = client.videos.list({ ...query, ...(needs_review ? { needs_review } : {}) }, { signal });
      for await (const page of list.pages()) if (page.items.length > 0 || page.next_cursor === null) return page;
      return { items: [], next_cursor: null };
    },
    [title, status, needs_review, sort, length],
  );
  useEvery(every_ms, async () => asked.isLoading || asked.refresh());
  return (
    <>
      <h1>Videos</h1>
      <FilterBar filters={filters} onChange={setFilters} />
      <Shown asked={asked}>
        {({ items, next_cursor }) => (
          <>
            {items.length === 0 ? (
              <p class="quiet">No video is like that.{mayImport && ' Import one below.'}</p>
            ) : (
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Title</th>
                      <th scope="col">Analysis</th>
                      <th scope="col">Faces</th>
                      <th scope="col">Matched</th>
                      <th scope="col">Matching</th>
                      <th scope="col">Changed</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((video) => (
                      <Row key={video.video_id} video={video} />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            {next_cursor !== null && <Action run={async () => setLength(length + pageLength)}>Show more</Action>}
          </>
        )}
      </Shown>
      <Part title="Import">
        {mayImport ? (
          <ImportFiles client={client} />
        ) : (
          <p class="quiet">This key may not send analyses: that takes the permission WORKER.</p>
        )}
      </Part>
    </>
  );
};
