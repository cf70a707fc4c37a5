import { useEffect, useState } from 'preact/hooks';
import type { ListedVideo, MediaAnalysis, VideoRecord } from '../client/index.js';
import { Check, Choose, Field, Form } from './fields.js';
import { date, number } from './format.js';
import { pollMs, useParameters, useQuery } from './hooks.js';
import { ImportFiles, remove } from './import-files.js';
import { useClient, useSignedIn } from './session.js';
import { Action, Badge, Loaded, Part, WideTable } from './ui.js';
import { Status } from './video/status.js';
import { inWords } from './words.js';

const maxRead = 1_000;

interface AudiosProps {
  readonly filters: ReturnType<typeof queryOf>;
}

/** The audios without a video. The service does not filter by that, so the newest 1,000 are read. */
const AudioList = ({ filters }: AudiosProps) => {
  const { client, mayImport } = useSignedIn();
  const query = useQuery(
    (signal) => client.audios.list({ ...filters, limit: maxRead }, { signal }).toArray(maxRead),
    [JSON.stringify(filters)],
  );
  return (
    <Loaded query={query}>
      {(all) => {
        const audios = all.filter(({ video_id }) => video_id === null);
        return (
          <>
            <ul class="names">
              {audios.map(({ audio_id, owner_id, title, status, speakers, updated_at }) => (
                <li key={audio_id} class="actions">
                  <a href={`#/audios/${encodeURIComponent(audio_id)}`}>{title ?? audio_id}</a>
                  <Status video={null} audio={{ status }} />
                  <span class="quiet">
                    {mayImport && `${owner_id}, `}
                    {number(speakers.length)} speakers, {date(updated_at)}
                  </span>
                </li>
              ))}
            </ul>
            <p class="quiet">
              {audios.length === 0 && 'No audio without a video matches the filters. '}
              {all.length === maxRead &&
                `Only the newest ${number(maxRead)} audios were searched: filter by title to find others.`}
            </p>
          </>
        );
      }}
    </Loaded>
  );
};

/** The audios without a video, listed when the user opens the section. */
const Audios = (props: AudiosProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="part" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Audios without a video</summary>
      {isOpen && <AudioList {...props} />}
    </details>
  );
};

const pageSize = 50;
const maxShown = 1_000;

const sorts = [
  ['needs_review', 'needs review first'],
  ['created_at', 'newest first'],
  ['updated_at', 'recently changed first'],
  ['title', 'by title'],
] as const;

interface Filters {
  readonly title: string;
  readonly status: '' | (typeof statuses)[number];
  readonly needs_review: boolean;
  readonly sort: (typeof sorts)[number][0];
}

const statuses = ['queue', 'processing', 'completed', 'failed'] as const;

const titleOf = ({ title, video_id }: VideoRecord): string => title ?? video_id;

const erase = async (client: MediaAnalysis, video: VideoRecord): Promise<void> => {
  if (confirm(`Delete “${titleOf(video)}”, with its speech, transcript and history? This cannot be undone.`))
    await remove(client, video);
};

/** How many suggestions are neither committed nor decided: what is still asked is fetched after each change of the video. */
const Suggestions = ({
  video: { video_id, updated_at, faces, speaker_face_match },
}: {
  readonly video: VideoRecord;
}) => {
  const client = useClient();
  const { status, queued_at, suggestions } = speaker_face_match;
  const uncommitted = (suggestions?.mappings ?? []).filter((mapping) =>
    faces.some(({ id, speaker_id }) => id === mapping.face_id && speaker_id !== mapping.speaker_id),
  );
  const { answer: questions } = useQuery(
    async (signal) =>
      uncommitted.length === 0 ? [] : client.review.list({ video_id, kind: 'link' }, { signal }).toArray(),
    [updated_at],
  );
  // The status stays `queue` after a commit run, but without a time.
  if (status === 'queue' && queued_at !== null) return <Badge tone="wait">matching in progress</Badge>;
  const open = uncommitted.filter((mapping) =>
    questions?.some(
      ({ speaker_id, candidates }) =>
        speaker_id === mapping.speaker_id && candidates.some(({ face_id }) => face_id === mapping.face_id),
    ),
  ).length;
  return open === 0 ? null : <Badge tone="wait">{number(open)} suggested</Badge>;
};

const Rows = ({
  videos,
  at,
  onOpen,
}: {
  readonly videos: ReadonlyArray<ListedVideo>;
  /** The video that was opened from this list. */
  readonly at: string;
  readonly onOpen: (video_id: string) => void;
}) => {
  const { client, account_id, admin, mayImport } = useSignedIn();
  useEffect(() => {
    const opened = at === '' ? null : document.getElementById(`video-${at}`);
    opened?.scrollIntoView({ block: 'center' });
    opened?.focus({ preventScroll: true });
  }, []);
  return (
    <WideTable
      label="Videos"
      framed
      rows={videos}
      keyOf={({ video_id }) => video_id}
      columns={[
        {
          title: 'Title',
          kind: 'heading',
          of: (video) => (
            <a
              id={`video-${video.video_id}`}
              href={`#/videos/${encodeURIComponent(video.video_id)}`}
              onClick={() => onOpen(video.video_id)}
            >
              {titleOf(video)}
            </a>
          ),
        },
        // Whoever may import sees the videos of all accounts.
        ...(mayImport ? [{ title: 'Owner', of: ({ owner_id }: ListedVideo) => owner_id }] : []),
        { title: 'Analysis', of: (video) => <Status video={video} audio={video.audio ?? null} /> },
        { title: 'Faces', kind: 'number', of: ({ faces }) => number(faces.length) },
        {
          title: 'Matched',
          kind: 'number',
          of: ({ faces }) => number(faces.filter(({ speaker_id }) => speaker_id !== null).length),
        },
        { title: 'Suggestions', of: (video) => <Suggestions video={video} /> },
        { title: 'Last changed', kind: 'quiet', of: ({ updated_at }) => date(updated_at) },
        {
          title: 'Actions',
          isTitleHidden: true,
          of: (video) =>
            (admin || video.owner_id === account_id) && (
              <Action text="Delete" kind="small" label={`Delete ${titleOf(video)}`} run={() => erase(client, video)} />
            ),
        },
      ]}
    />
  );
};

const FilterBar = ({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (changed: Readonly<Record<string, string>>) => void;
}) => (
  <Form class="filters" role="search">
    <Field label="Title" type="search" value={filters.title} onText={(title) => onChange({ title })} />
    <Choose
      label="Status"
      options={[['', 'any'], ...statuses.map((status) => [status, inWords(status)] as const)]}
      value={filters.status}
      onChoose={(status) => onChange({ status })}
    />
    <Choose label="Order" options={sorts} value={filters.sort} onChoose={(order) => onChange({ order })} />
    <Check checked={filters.needs_review} onChange={(isOn) => onChange({ needs_review: isOn ? 'true' : '' })}>
      needs review
    </Check>
  </Form>
);

interface Page {
  readonly items: ReadonlyArray<ListedVideo>;
  readonly next_cursor: string | null;
  /** How many videos need review; null if that is unknown. */
  readonly toReview?: number | null;
}

/** How much of the list is shown. */
const countText = ({ items, next_cursor, toReview = null }: Page): string => {
  const shown = number(items.length);
  const review = toReview === null ? '' : `, ${number(toReview)} ${toReview === 1 ? 'needs' : 'need'} review`;
  return next_cursor === null
    ? `${shown} ${items.length === 1 ? 'video' : 'videos'}${review}`
    : `The first ${shown} videos${review}; there are more`;
};

const queryOf = ({ title, status }: Filters) => ({
  ...(title === '' ? {} : { title }),
  ...(status === '' ? {} : { status }),
});

/**
 * The first videos that match the filters. The service cannot sort by need of review, so for that order two lists are
 * joined.
 */
const fetchVideos = async (
  client: MediaAnalysis,
  filters: Filters,
  length: number,
  signal: AbortSignal,
): Promise<Page> => {
  const { needs_review, sort } = filters;
  const reviewFirst = sort === 'needs_review';
  const fetchPage = async (limit: number, need: boolean | null): Promise<Page> => {
    const query = {
      limit,
      sort: reviewFirst ? 'created_at' : sort,
      expand: 'audio',
      ...queryOf(filters),
      ...(need === null ? {} : { needs_review: need }),
    } as const;
    for await (const page of client.videos.list(query, { signal }).pages())
      if (page.items.length > 0 || page.next_cursor === null) return page;
    return { items: [], next_cursor: null };
  };
  const first = await fetchPage(length, needs_review || reviewFirst ? true : null);
  if (needs_review || !reviewFirst || first.next_cursor !== null) return first;
  const toReview = first.items.length;
  const left = length - toReview;
  if (left === 0) return { ...first, next_cursor: 'others', toReview };
  const others = await fetchPage(left, false);
  return { items: [...first.items, ...others.items], next_cursor: others.next_cursor, toReview };
};

const filtersOf = (parameters: URLSearchParams): Filters => {
  const [status, sort] = [parameters.get('status'), parameters.get('order')];
  return {
    title: parameters.get('title') ?? '',
    status: statuses.find((one) => one === status) ?? '',
    needs_review: parameters.get('needs_review') === 'true',
    sort: sorts.find(([one]) => one === sort)?.[0] ?? 'needs_review',
  };
};

/** The videos that the key may see, filtered and sorted by the service. The address has the state of the list. */
export const Videos = () => {
  const { client, mayImport } = useSignedIn();
  const [parameters, change] = useParameters();
  const filters = filtersOf(parameters);
  const { title, status, needs_review, sort } = filters;
  const length = Math.min(maxShown, Math.max(pageSize, Math.floor(Number(parameters.get('shown'))) || 0));
  const query = useQuery(
    (signal) => fetchVideos(client, filters, length, signal),
    [title, status, needs_review, sort, length],
    pollMs,
  );
  const isFiltered = title !== '' || status !== '' || needs_review;
  return (
    <>
      <h1>Videos</h1>
      <FilterBar filters={filters} onChange={(changed) => change({ ...changed, at: '' })} />
      <Loaded query={query}>
        {(page) => (
          <>
            {page.items.length === 0 ? (
              <p class="quiet">
                {isFiltered ? 'No videos match these filters.' : 'There are no videos yet.'}
                {mayImport && !isFiltered && ' Import the first one below.'}
              </p>
            ) : (
              <>
                <p class="quiet" role="status">
                  {countText(page)}
                </p>
                <Rows videos={page.items} at={parameters.get('at') ?? ''} onOpen={(at) => change({ at })} />
              </>
            )}
            {page.next_cursor !== null && length < maxShown && (
              <Action text="Show more" run={async () => change({ shown: String(length + pageSize) })} />
            )}
          </>
        )}
      </Loaded>
      <Audios filters={queryOf(filters)} />
      <Part title="Import">
        {mayImport ? (
          <>
            <p class="quiet">
              Import what analysis tools wrote about a recording. Faces: CSV of AVA, JSON of Rekognition, Video Indexer
              or Video Intelligence. Speech: RTTM, WebVTT, SRT, JSON of WhisperX, pyannote, Transcribe, Deepgram,
              AssemblyAI and others. The recording itself is not uploaded.
            </p>
            <ImportFiles choices={query.answer?.items ?? []} />
          </>
        ) : (
          <p class="quiet">This key cannot import analyses: that requires the permission WORKER.</p>
        )}
      </Part>
    </>
  );
};
