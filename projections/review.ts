import * as t from 'io-ts';
import { nullable, JsonObject } from '../domain/kernel/recorded-event.js';
import { AccountId, AudioId, FaceId, SpeakerId, VideoId } from '../domain/kernel/ids.js';
import type { SuggestionBlock } from '../domain/video/write-back.js';
import type { Decided } from '../domain/matching/decided.js';
import { QuoteLocation } from '../domain/grounding/result-row.js';
import { type LinkQuestion, linkQuestions } from '../domain/review/link-questions.js';
import { effectiveDecisions } from './link-decisions.js';
import type { VideoRow } from './views.js';

/** A possible name of a speaker and its source. */
export const QuestionName = t.intersection(
  [
    t.type({ name: t.string, source: t.keyof({ inference: null, caption: null }) }),
    t.partial({ quote: t.string, quote_location: QuoteLocation }),
  ],
  'QuestionName',
);
export type QuestionName = t.TypeOf<typeof QuestionName>;

/** A question for a person, open or closed. */
export const ReviewQuestion = t.intersection(
  [
    t.type({
      /** `link`: which face is the speaker's? `name`: what is the speaker's name? */
      kind: t.keyof({ link: null, name: null }, 'QuestionKind'),
      video_id: VideoId,
      audio_id: nullable(AudioId),
      owner_id: AccountId,
      speaker_id: SpeakerId,
      candidates: t.readonlyArray(t.type({ face_id: FaceId, accuracy: t.number })),
      nobody: t.number,
      gain: t.number,
      evidence: JsonObject,
      /** For name questions only. */
      names: nullable(t.readonlyArray(QuestionName)),
      open: t.boolean,
    }),
    /** Whether a person has given the speaker's name or label since the names were found. */
    t.partial({ settled: t.boolean }),
  ],
  'ReviewQuestion',
);
export type ReviewQuestion = t.TypeOf<typeof ReviewQuestion>;

/** The questions of an owner or of one video. */
export interface ReviewScope {
  readonly by: 'owner_id' | 'video_id';
  readonly id: string;
  /** Null: all kinds. */
  readonly kind: ReviewQuestion['kind'] | null;
}

export const questionKey = ({
  kind,
  video_id,
  speaker_id,
}: Pick<ReviewQuestion, 'kind' | 'video_id' | 'speaker_id'>): string => `${video_id}/${speaker_id}/${kind}`;

const [digits, millionths] = [13, 1_000_000];

/** Sort key of a question, the most valuable first; null if closed. */
export const questionPlace = (question: ReviewQuestion | null): string | null =>
  question?.open === true
    ? `${String(10 ** (digits - 1) - Math.round(question.gain * millionths)).padStart(digits, '0')} ${questionKey(question)}`
    : null;

const decidedIn = ({ decisions }: VideoRow): Decided => {
  const effective = effectiveDecisions(decisions);
  const pairs = (verdict: 'confirmed' | 'rejected') =>
    effective.flatMap(({ face_id, speaker_id, verdict: is }) =>
      face_id === null || is !== verdict ? [] : [{ face_id, speaker_id }],
    );
  return {
    confirmed: pairs('confirmed'),
    unseen: effective.flatMap(({ face_id, speaker_id }) => (face_id === null ? [speaker_id] : [])),
    rejected: pairs('rejected'),
  };
};

type Question = Pick<ReviewQuestion, 'kind' | 'names'> & LinkQuestion;

const Contradicted = t.type({ contradicting_caption: t.string });

/**
 * Gain of asking about a speaker whose face has a caption with another name. Chosen, not measured: no public clips have
 * names.
 */
const contradicted_gain = 0.3;

const isOpen = (links: ReadonlyArray<LinkQuestion>, speaker: SpeakerId, face: FaceId): boolean =>
  links.some(
    ({ speaker_id, candidates }) => speaker_id === speaker && candidates.some(({ face_id }) => face_id === face),
  );

/** Questions about speakers whose faces have captions with other names, until a person decides the link. */
const captionQuestions = ({ mappings }: SuggestionBlock, links: ReadonlyArray<LinkQuestion>): ReadonlyArray<Question> =>
  mappings.flatMap(({ face_id, speaker_id, accuracy, evidence }): ReadonlyArray<Question> =>
    accuracy === null || !Contradicted.is(evidence) || !isOpen(links, speaker_id, face_id)
      ? []
      : [
          {
            kind: 'name',
            speaker_id,
            candidates: [{ face_id, accuracy }],
            nobody: 0,
            gain: contradicted_gain,
            evidence,
            names: [{ name: evidence.contradicting_caption, source: 'caption' }],
          },
        ],
  );

/** The open questions of a video. */
const questionsOf = (row: VideoRow): ReadonlyArray<ReviewQuestion> => {
  const { status, video_id, audio_id, owner_id, faces, speaker_face_match } = row.record;
  const { suggestions } = speaker_face_match;
  if (status !== 'completed' || audio_id === null || suggestions === null) return [];
  const links = linkQuestions(suggestions, new Set(faces.map(({ id }) => id)), decidedIn(row));
  return [
    ...links.map((question): Question => ({ kind: 'link', names: null, ...question })),
    ...captionQuestions(suggestions, links),
  ].map((question) => ({ video_id, audio_id, owner_id, ...question, open: true }));
};

/** Whether nothing changed that questions depend on. Unchanged parts of a row keep their identity. */
const asksTheSame = (before: VideoRow, row: VideoRow): boolean =>
  before.decisions === row.decisions &&
  before.record.faces === row.record.faces &&
  before.record.status === row.record.status &&
  before.record.audio_id === row.record.audio_id &&
  before.record.speaker_face_match.suggestions === row.record.speaker_face_match.suggestions;

/** The questions of a video after an event that may have opened, changed or closed some. */
export const changedQuestions = (before: VideoRow | undefined, row: VideoRow): ReadonlyArray<ReviewQuestion> => {
  if (before !== undefined && asksTheSame(before, row)) return [];
  const open = questionsOf(row);
  const keys = new Set(open.map(questionKey));
  const closed = (before === undefined ? [] : questionsOf(before)).filter((was) => !keys.has(questionKey(was)));
  return [...open, ...closed.map((was) => ({ ...was, open: false }))];
};

type Reviewed = Pick<VideoRow, 'record' | 'decisions' | 'suggested'>;

/**
 * Whether suggestions need review: the last suggest run completed, and a mapping is neither committed nor decided by a
 * person through its face, its speaker or both. A person's own match is a decision.
 */
export const needsReview = ({ record, decisions, suggested }: Reviewed): boolean => {
  const { suggestions } = record.speaker_face_match;
  if (!suggested || suggestions === null) return false;
  const speakers = new Map(record.faces.map(({ id, speaker_id }) => [id, speaker_id]));
  const confirmed = decisions.filter(({ verdict }) => verdict === 'confirmed');
  const faces = new Set(confirmed.map(({ face_id }) => face_id));
  const matched = new Set(confirmed.map(({ speaker_id }) => speaker_id));
  const decided = new Set(decisions.map(({ face_id, speaker_id }) => `${face_id}/${speaker_id}`));
  return suggestions.mappings.some(
    ({ face_id, speaker_id }) =>
      speakers.get(face_id) !== speaker_id &&
      !faces.has(face_id) &&
      !matched.has(speaker_id) &&
      !decided.has(`${face_id}/${speaker_id}`),
  );
};
