import type {
  AudioRecord,
  LinkDecision,
  MatchCandidate,
  SuggestedMapping,
  UnmatchedSpeaker,
  VideoRecord,
} from '../../client/index.js';
import { speakerName } from './lanes.js';
import type { Records } from './use-records.js';

/** A speaker with its face, what was decided, and which faces it may have. */
export interface Link {
  readonly speaker_id: number;
  readonly name: string;
  readonly face: VideoRecord['faces'][number] | null;
  /** A person said that the face is the speaker's. */
  readonly confirmed: LinkDecision | null;
  /** A person said that the speaker is off screen. */
  readonly unseen: LinkDecision | null;
  /** The faces that a person excluded. */
  readonly rejected: ReadonlyArray<LinkDecision>;
  /** The suggested face, unless it was excluded since. */
  readonly suggested: SuggestedMapping | null;
  /** Other faces that are possible, likeliest first. */
  readonly candidates: ReadonlyArray<Pick<MatchCandidate, 'face_id' | 'accuracy'>>;
  readonly unmatched: UnmatchedSpeaker | null;
}

export const linksOf = (
  { faces, speaker_face_match }: VideoRecord,
  { speakers }: AudioRecord,
  { decisions, questions }: Pick<Records, 'decisions' | 'questions'>,
): ReadonlyArray<Link> => {
  const { mappings = [], unmatched_speakers = [] } = speaker_face_match.suggestions ?? {};
  return speakers
    .filter(({ synthetic }) => !synthetic)
    .map(({ speaker_id, name }): Link => {
      const isOwn = (one: { readonly speaker_id: number | null }): boolean => one.speaker_id === speaker_id;
      const own = decisions.filter(isOwn);
      const rejected = own.filter(({ verdict }) => verdict === 'rejected');
      const isExcluded = (id: number): boolean => rejected.some(({ face_id }) => face_id === id);
      const offered = questions.find((one) => one.kind === 'link' && isOwn(one))?.candidates;
      const unmatched = unmatched_speakers.find(isOwn) ?? null;
      const mapping = mappings.find(isOwn);
      const isOffered = ({ face_id }: SuggestedMapping): boolean =>
        offered === undefined ? !isExcluded(face_id) : offered.some((one) => one.face_id === face_id);
      return {
        speaker_id,
        name: speakerName(speaker_id, name),
        face: faces.find(isOwn) ?? null,
        confirmed: own.find(({ verdict, face_id }) => verdict === 'confirmed' && face_id !== null) ?? null,
        unseen: own.find(({ face_id }) => face_id === null) ?? null,
        rejected,
        suggested: mapping !== undefined && isOffered(mapping) ? mapping : null,
        candidates: (offered ?? unmatched?.candidates ?? []).filter(({ face_id }) => !isExcluded(face_id)),
        unmatched,
      };
    });
};

/** Whether nothing was decided about a speaker yet. */
export const isOpen = ({ face, unseen }: Link): boolean => face === null && unseen === null;

/** How sure the best suggestion of a speaker is, 0 to 1. */
const sureness = ({ suggested, candidates }: Link): number => suggested?.accuracy ?? candidates[0]?.accuracy ?? 0;

export const orders = {
  number: 'as numbered',
  uncertain: 'least certain first',
  certain: 'most certain first',
} as const;
export const filters = { all: 'all', open: 'open', decided: 'decided' } as const;

export type Order = keyof typeof orders;
export type Filter = keyof typeof filters;

/** The links to show. Open ones come before decided ones, unless they are in the order of their numbers. */
export const arranged = (links: ReadonlyArray<Link>, filter: Filter, order: Order): ReadonlyArray<Link> => {
  const shown = links.filter((link) => filter === 'all' || isOpen(link) === (filter === 'open'));
  if (order === 'number') return shown;
  const sign = order === 'uncertain' ? 1 : -1;
  return shown.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || sign * (sureness(a) - sureness(b)));
};

const sureEnough = 0.99;

/** The open links whose suggestion is so certain that they can be accepted at once. */
export const certainOf = (links: ReadonlyArray<Link>): ReadonlyArray<SuggestedMapping> =>
  links.flatMap((link) => (isOpen(link) && (link.suggested?.accuracy ?? 0) > sureEnough ? (link.suggested ?? []) : []));
