import { useState } from 'preact/hooks';
import type { MediaAnalysis, VideoRecord } from '../client/index.js';
import { date, number } from './format.js';
import { live, useAsked } from './hooks.js';
import { ImportFiles } from './import-files.js';
import type { Session } from './session.js';
import { Action, Badge, Part, Scroll, Shown } from './ui.js';

const pageLength = 50;

const sorts = {
  needs_review: 'what needs review first',
  created_at: 'newest first',
  updated_at: 'last changed first',
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
        {video.speaker_face_match.status === 'queue' ? (
          <Badge tone="wait">run in flight</Badge>
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

interface Portion {
  readonly items: ReadonlyArray<VideoRecord>;
  readonly next_cursor: string | null;
}

/** The first of the videos that the filters let through. */
const listed = async (
  client: MediaAnalysis,
  { title, status, needs_review, sort }: Filters,
  length: number,
  signal: AbortSignal,
): Promise<Portion> => {
  const isByNeed = sort === 'needs_review';
  const portion = async (limit: number, need: boolean | null): Promise<Portion> => {
    const query = {
      limit,
      sort: isByNeed ? 'created_at' : sort,
      ...(title === '' ? {} : { title }),
      ...(status === '' ? {} : { status }),
      ...(need === null ? {} : { needs_review: need }),
    } as const;
    for await (const page of client.videos.list(query, { signal }).pages())
      if (page.items.length > 0 || page.next_cursor === null) return page;
    return { items: [], next_cursor: null };
  };
  const first = await portion(length, needs_review || isByNeed ? true : null);
  if (needs_review || !isByNeed || first.next_cursor !== null) return first;
  const left = length - first.items.length;
  if (left === 0) return { ...first, next_cursor: 'the others' };
  const others = await portion(left, false);
  return { items: [...first.items, ...others.items], next_cursor: others.next_cursor };
};

/** All videos of the account (an admin's: of all), filtered and sorted by the service. */
export const Videos = ({ session: { client, mayImport } }: { readonly session: Session }) => {
  const [filters, setFilters] = useState<Filters>({ title: '', status: '', needs_review: false, sort: 'needs_review' });
  const [length, setLength] = useState(pageLength);
  const { title, status, needs_review, sort } = filters;
  const asked = useAsked(
    (signal) => listed(client, filters, length, signal),
    [title, status, needs_review, sort, length],
    live,
  );
  const isNarrowed = title !== '' || status !== '' || needs_review;
  return (
    <>
      <h1>Videos</h1>
      <FilterBar filters={filters} onChange={setFilters} />
      <Shown asked={asked}>
        {({ items, next_cursor }) => (
          <>
            {items.length === 0 ? (
              <p class="quiet">
                {isNarrowed ? 'No video is like that.' : 'There are no videos yet.'}
                {mayImport && !isNarrowed && ' Import the first one below.'}
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
                      <th scope="col">Changed</th>
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
            {next_cursor !== null && <Action run={async () => setLength(length + pageLength)}>Show more</Action>}
          </>
        )}
      </Shown>
      <Part title="Import">
        {mayImport ? (
          <>
            <p class="quiet">
              Who is to be seen when: CSV of AVA, JSON of Rekognition, Video Indexer, Video Intelligence. Who speaks
              when, and what is said: RTTM, WebVTT, SRT, JSON of WhisperX, pyannote, Transcribe, Deepgram, AssemblyAI
              and others. The recording itself stays where it is.
            </p>
            <ImportFiles client={client} />
          </>
        ) : (
          <p class="quiet">This key may not send analyses: that takes the permission WORKER.</p>
        )}
      </Part>
    </>
  );
};
