import { audioEvents } from '../domain/audio/events.js';
import { audioChangesOf } from '../domain/audio/reversible-changes.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import type { SpeakerId } from '../domain/kernel/ids.js';
import { type NamedBy, isRealName } from '../domain/kernel/names.js';
import { type Renumbering, followIds, isRenumbering, renumberedAfter } from '../domain/kernel/renumbering.js';
import { type RecordedEvent, isEventOf, streamCategory, streamId } from '../domain/kernel/recorded-event.js';
import type { Projection, Rows } from './tables.js';
import type { ReviewQuestion } from './review.js';

const isAudioEvent = isEventOf(audioEvents);

type Answered = Extract<DomainEvent, { type: 'NameInferenceAnswered' }>['data'];

/**
 * Expected gain of an answer: about this share of inferred names is wrong on public transcripts. Correct names are
 * committed with or without review.
 */
const gain = 0.1;

/** Whether a question is open: the speaker has no real name, and video and audio are linked and both completed. */
const isOpen = (rows: Rows, { video_id, audio_id, speaker_id, settled }: ReviewQuestion): boolean => {
  const [video, audio] = [rows.videos.get(video_id)?.record, rows.audios.get(audio_id ?? '')?.record];
  const speaker = audio?.speakers.find((one) => one.speaker_id === speaker_id);
  return (
    video?.status === 'completed' &&
    audio?.status === 'completed' &&
    video.audio_id === audio_id &&
    speaker !== undefined &&
    settled !== true &&
    !isRealName(speaker.name)
  );
};

/** Creates questions about the names that an inference found. A newer answer replaces an older one. */
const ask = (rows: Rows, { audio_id, run_id, results, renumbered_at = -1 }: Answered): void => {
  const row = rows.audios.get(audio_id);
  const audio = row?.record;
  const presentId = followIds(renumberedAfter(row?.renumberings ?? [], renumbered_at));
  const video_id = audio?.video_id ?? null;
  if (audio === undefined || video_id === null) return;
  for (const { speaker_id: asked, name, quote, quote_location, pattern } of results) {
    const speaker_id = presentId(asked);
    if (name === undefined || speaker_id === null) continue;
    const quoted = quote === undefined || quote_location === undefined ? {} : { quote, quote_location };
    const question: ReviewQuestion = {
      kind: 'name',
      video_id,
      audio_id,
      owner_id: audio.owner_id,
      speaker_id,
      candidates: [],
      nobody: 0,
      gain,
      evidence: { run_id, pattern: pattern ?? null },
      names: [{ name, source: 'inference', ...quoted }],
      open: true,
    };
    rows.nameQuestions.put({ ...question, open: isOpen(rows, question) });
  }
};

const emptied = { open: false, names: null, evidence: {} } as const;

type NamedBySpeaker = ReadonlyMap<SpeakerId, NamedBy>;

/**
 * Opens and closes questions as their records change. Once a record is gone, the names are removed. A question without
 * names stays closed. A name that a person gives settles the question, a label too (contract: a person's name is a real
 * name).
 */
const reopenOrClose = (
  rows: Rows,
  column: 'audio_id' | 'video_id',
  id: string,
  named: NamedBySpeaker = new Map(),
): void =>
  rows.nameQuestions.where(column, id).forEach((question) => {
    const { video_id, audio_id, speaker_id, names, settled: before = false } = question;
    if (names === null) return;
    const isThere = rows.videos.get(video_id) !== undefined && rows.audios.get(audio_id ?? '') !== undefined;
    if (!isThere) return rows.nameQuestions.put({ ...question, ...emptied });
    const named_by = named.get(speaker_id);
    const settled = named_by === undefined ? before : named_by === 'person';
    const next = settled === before ? question : { ...question, settled };
    const open = isOpen(rows, next);
    if (next !== question || open !== question.open) rows.nameQuestions.put({ ...next, open });
  });

/** Questions follow the speakers of a new analysis; those of a speaker that is gone are closed and emptied. */
const follow = (rows: Rows, audio_id: string, renumbering: Renumbering<SpeakerId>): void => {
  const presentId = followIds([renumbering]);
  const moved = rows.nameQuestions
    .where('audio_id', audio_id)
    .filter(({ speaker_id }) => presentId(speaker_id) !== speaker_id);
  for (const question of moved) rows.nameQuestions.put({ ...question, ...emptied });
  for (const question of moved) {
    const speaker_id = presentId(question.speaker_id);
    if (speaker_id !== null) rows.nameQuestions.put({ ...question, speaker_id });
  }
};

/** Who gave the names that an event of an audio wrote. */
const namedIn = (event: DomainEvent): NamedBySpeaker =>
  new Map(
    (isAudioEvent(event) ? audioChangesOf([event]).speakers : []).flatMap(({ speaker_id, name }) =>
      name === null ? [] : [[speaker_id, name.after.named_by]],
    ),
  );

/** Frequent video events that affect neither the video's status nor its audio. */
const withoutEffect: ReadonlySet<DomainEvent['type']> = new Set([
  'FacesMatched',
  'MatchRunQueued',
  'MatchesCommitted',
  'SuggestionsStored',
]);

/** Questions about inferred names that were not committed (contract, review). Depends on the rows of both records. */
export const nameQuestions: Projection = {
  name: 'nameQuestions',
  version: 5,
  categories: ['nameInference', 'audio', 'video'],
  tables: ['nameQuestions'],
  project: (rows, { event, stream }: RecordedEvent<DomainEvent>) => {
    if (event.type === 'NameInferenceAnswered') ask(rows, event.data);
    else if (event.type === 'AudioAnalysisRecorded') {
      if (isRenumbering(event.data)) follow(rows, streamId(stream), event.data);
      reopenOrClose(rows, 'audio_id', streamId(stream));
    } else if (withoutEffect.has(event.type)) return;
    else if (streamCategory(stream) === 'audio') reopenOrClose(rows, 'audio_id', streamId(stream), namedIn(event));
    else if (streamCategory(stream) === 'video') reopenOrClose(rows, 'video_id', streamId(stream));
  },
};
