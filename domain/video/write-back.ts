import * as t from 'io-ts';
import { nullable, JsonObject } from '../kernel/recorded-event.js';
import { FaceId, RunId, SpeakerId } from '../kernel/ids.js';
import { Timestamp, secondsBetween } from '../kernel/timestamp.js';
import { Accuracy } from './changes.js';

export const MatchChannel = t.keyof({ name: null, co_occurrence: null }, 'MatchChannel');
export type MatchChannel = t.TypeOf<typeof MatchChannel>;

export const SuggestedMapping = t.type(
  {
    face_id: FaceId,
    speaker_id: SpeakerId,
    /** The name that face and speaker will share; null if each keeps its own. */
    name: nullable(t.string),
    /** Null: a person confirmed the match. */
    accuracy: nullable(Accuracy),
    channel: MatchChannel,
    evidence: JsonObject,
  },
  'SuggestedMapping',
);
export type SuggestedMapping = t.TypeOf<typeof SuggestedMapping>;

/** A candidate face of a speaker, and the speaker that it is matched to instead, if any. */
export const MatchCandidate = t.type(
  { face_id: FaceId, accuracy: Accuracy, matched_speaker_id: nullable(SpeakerId) },
  'MatchCandidate',
);
export type MatchCandidate = t.TypeOf<typeof MatchCandidate>;

export const UnmatchedSpeaker = t.intersection(
  [
    t.type({ speaker_id: SpeakerId, reason: t.string }),
    /** For `ambiguous` speakers: the likeliest faces, and the probability that the speaker is not visible. */
    t.partial({ candidates: t.readonlyArray(MatchCandidate), nobody: Accuracy }),
  ],
  'UnmatchedSpeaker',
);
export type UnmatchedSpeaker = t.TypeOf<typeof UnmatchedSpeaker>;

/** The result of a suggest run. It can be sent unchanged as the body of PUT speaker-face-match. */
export const SuggestionBlock = t.type(
  {
    run_id: RunId,
    generated_at: Timestamp,
    mappings: t.readonlyArray(SuggestedMapping),
    unmatched_speakers: t.readonlyArray(UnmatchedSpeaker),
    unmatched_faces: t.readonlyArray(FaceId),
  },
  'SuggestionBlock',
);
export type SuggestionBlock = t.TypeOf<typeof SuggestionBlock>;

export type ProposedMatch = Omit<SuggestedMapping, 'name'> & { readonly accuracy: number };

export type WorkerAnswer =
  | {
      readonly status: 'completed';
      readonly matches: ReadonlyArray<ProposedMatch>;
      readonly unmatched_speakers: ReadonlyArray<UnmatchedSpeaker>;
    }
  | { readonly status: 'failed'; readonly error: string };

/** The stored state of a run (specification, section 3). */
export interface StoredRun {
  readonly status: 'queue' | 'completed' | 'failed' | null;
  readonly queued_at: Timestamp | null;
}

/** Whether a time is within the stale window: at most `stale_seconds` after `queued_at`. */
export const isWithinWindow = (queued_at: Timestamp, at: Timestamp, stale_seconds: number): boolean =>
  secondsBetween(queued_at, at) <= stale_seconds;

/** Whether a run blocks new triggers: status `queue`, queued within the stale window (section 3). */
export const isInFlight = ({ status, queued_at }: StoredRun, at: Timestamp, stale_seconds: number): boolean =>
  status === 'queue' && queued_at !== null && isWithinWindow(queued_at, at, stale_seconds);

/** Whether a queued run no longer blocks: without `queued_at`, or older than the window. */
export const isStale = (run: StoredRun, at: Timestamp, stale_seconds: number): boolean =>
  run.status === 'queue' && !isInFlight(run, at, stale_seconds);

/**
 * How a write-back was attributed to its run: by the run id it carried, by assuming the newest open run, to no open run
 * at all, or by names that resolved the run without a worker.
 */
export const Attribution = t.keyof({ own: null, assumed: null, unattributed: null, name_channel: null }, 'Attribution');
export type Attribution = t.TypeOf<typeof Attribution>;

/** Which run a write-back came from, as far as known. */
export const WriteBackOrigin = t.type({
  attribution: Attribution,
  /** Runs that may have sent it; only the run itself if the write-back carried its id. */
  candidate_run_ids: t.readonlyArray(RunId),
  /** A stale suggest run may have sent it. */
  late_write_suspected: t.boolean,
  /** It carried its run id but arrived after the stale window. */
  late: t.boolean,
});
export type WriteBackOrigin = t.TypeOf<typeof WriteBackOrigin>;

/** Extracts the origin from event data. */
export const originOf = <Origin extends Omit<WriteBackOrigin, 'attribution'> & { readonly attribution: unknown }>({
  attribution,
  candidate_run_ids,
  late_write_suspected,
  late,
}: Origin): Pick<Origin, keyof WriteBackOrigin> => ({ attribution, candidate_run_ids, late_write_suspected, late });

/** The origin of a write-back that certainly came from this run. */
export const certainOrigin = (
  run_id: RunId,
  attribution: 'own' | 'name_channel',
  late: boolean = false,
): WriteBackOrigin => ({ attribution, candidate_run_ids: [run_id], late_write_suspected: false, late });
