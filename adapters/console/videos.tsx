import { useState } from 'preact/hooks';
import type { MediaAnalysis, VideoRecord } from '../client/index.js';
import { date, number } from './format.js';
import { pollMs, useQuery } from './hooks.js';
import { ImportFiles } from './import-files.js';
import type { Session } from './session.js';
import { Action, Badge, Part, Scroll, Loaded } from './ui.js';

const pageSize = 50;

const sorts = {
  needs_review: 'needs review first',
  created_at: 'newest first',
  updated_at: 'recently changed first',
  title: 'by title',
} as const;
type Sort = keyof typeof sorts;
const isSort = (text: string): text is Sort => text in sorts;

interface Filters {
  readonly title: string;
  readonly status: '' | VideoRecord['status'];
  readonly needs_review: boolean;
  readonly sort: Sort;
}

const statuses: ReadonlyArray<VideoRecord['status']> = ['queue', 'processing', 'completed', 'failed'];
const isStatus = (text: string): text is VideoRecord['status'] => statuses.some((status) => status === text);

const toneOf = (status: VideoRecord['status']) =>
  status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'wait';

/** Whether a suggest run is in progress. The status stays `queue` after a commit run, but without a time. */
const isMatching = ({ status, queued_at }: VideoRecord['speaker_face_match']): boolean =>
  status === 'queue' && queued_at !== null;

const Row = ({ video }: { readonly video: VideoRecord }) => {
  const matched = video.faces.filter(({ speaker_id }) => speaker_id !== null).length;
  const suggested = video.speaker_face_match.suggestions?.mappings ?? [];
  const open = suggested.filter(
    ({ face_id, speaker_id }) => video.faces.find(({ id }) => id === face_id)?.speaker_id !== speaker_id,
  ).length;
  return (
    <tr>
      <th scope="row">
        <a href={`#/videos/${encodeURIComponent(video.video_id)}`}>{video.title ?? video.video_id}</a>
      </th>
      <td>
        <Badge tone={toneOf(video.status)}>{video.status}</Badge>
      </td>
      <td class="number">{number(video.faces.length)}</td>
      <td class="number">{number(matched)}</td>
      <td>
        {isMatching(video.speaker_face_match) ? (
          <Badge tone="wait">matching in progress</Badge>
        ) : open > 0 ? (
          <Badge tone="wait">{number(open)} suggested</Badge>
        ) : null}
      </td>
      <td class="quiet when">{date(video.updated_at)}</td>
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

interface Page {
  readonly items: ReadonlyArray<VideoRecord>;
  readonly next_cursor: string | null;
}

/**
 * The first videos that match the filters. The service cannot sort by need of review, so for that order two lists are
 * joined.
 */
const fetchVideos = async (
  client: MediaAnalysis,
  { title, status, needs_review, sort }: Filters,
  length: number,
  signal: AbortSignal,
): Promise<Page> => {
  const reviewFirst = sort === 'needs_review';
  const fetchPage = async (limit: number, need: boolean | null): Promise<Page> => {
    const query = {
      limit,
      sort: reviewFirst ? 'created_at' : sort,
      ...(title === '' ? {} : { title }),
      ...(status === '' ? {} : { status }),
      ...(need === null ? {} : { needs_review: need }),
    } as const;
    for await (const page of client.videos.list(query, { signal }).pages())
      if (page.items.length > 0 || page.next_cursor === null) return page;
    return { items: [], next_cursor: null };
  };
  const first = await fetchPage(length, needs_review || reviewFirst ? true : null);
  if (needs_review || !reviewFirst || first.next_cursor !== null) return first;
  const left = length - first.items.length;
  if (left === 0) return { ...first, next_cursor: 'others' };
  const others = await fetchPage(left, false);
  return { items: [...first.items, ...others.items], next_cursor: others.next_cursor };
};

/** The videos that the key may see, filtered and sorted by the service. */
export const Videos = ({ session: { client, mayImport } }: { readonly session: Session }) => {
  const [filters, setFilters] = useState<Filters>({ title: '', status: '', needs_review: false, sort: 'needs_review' });
  const [length, setLength] = useState(pageSize);
  const { title, status, needs_review, sort } = filters;
  const query = useQuery(
    (signal) => fetchVideos(client, filters, length, signal),
    [title, status, needs_review, sort, length],
    pollMs,
  );
  const isFiltered = title !== '' || status !== '' || needs_review;
  return (
    <>
      <h1>Videos</h1>
      <FilterBar filters={filters} onChange={setFilters} />
      <Loaded query={query}>
        {({ items, next_cursor }) => (
          <>
            {items.length === 0 ? (
              <p class="quiet">
                {isFiltered ? 'No videos match these filters.' : 'There are no videos yet.'}
                {mayImport && !isFiltered && ' Import the first one below.'}
              </p>
            ) : (
              <Scroll label="Videos" framed>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Title</th>
                      <th scope="col">Analysis</th>
                      <th scope="col" class="number">
                        Faces
                      </th>
                      <th scope="col" class="number">
                        Matched
                      </th>
                      <th scope="col">Suggestions</th>
                      <th scope="col">Last changed</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((video) => (
                      <Row key={video.video_id} video={video} />
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
            {next_cursor !== null && <Action run={async () => setLength(length + pageSize)}>Show more</Action>}
          </>
        )}
      </Loaded>
      <Part title="Import">
        {mayImport ? (
          <>
            <p class="quiet">
              Import what analysis tools wrote about a recording. Faces: CSV of AVA, JSON of Rekognition, Video Indexer
              or Video Intelligence. Speech: RTTM, WebVTT, SRT, JSON of WhisperX, pyannote, Transcribe, Deepgram,
              AssemblyAI and others. The recording itself is not uploaded.
            </p>
            <ImportFiles client={client} />
          </>
        ) : (
          <p class="quiet">This key cannot import analyses: that requires the permission WORKER.</p>
        )}
      </Part>
    </>
  );
};
