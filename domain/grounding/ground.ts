import type { RecordedSpeaker } from '../audio/events.js';
import type { Utterance } from '../audio/speech.js';
import type { SpeakerId, VideoId } from '../kernel/ids.js';
import { isRealName } from '../kernel/names.js';
import { withoutConflicts } from './conflicts.js';
import { type Heard, listen } from './heard.js';
import { judgeName, nameKey } from './name-verdict.js';
import type { Proposal } from './proposal.js';
import type { ResultRow } from './result-row.js';
import { judgeRole } from './role-verdict.js';

export interface Grounding {
  /** The parent video; null for audio-only media. */
  readonly video_id: VideoId | null;
  /** In the order in which it was said. */
  readonly transcript: readonly Utterance[];
  /** All speakers of the audio, as they are stored. */
  readonly speakers: readonly Pick<RecordedSpeaker, 'speaker_id' | 'name' | 'role' | 'synthetic'>[];
  readonly target_speaker_ids: readonly SpeakerId[];
  readonly infer_roles: boolean;
  readonly proposals: readonly Proposal[];
}

/** The proposals for the targets, in the model's order, then an empty one for each target that it left out. */
const proposalsForTargets = ({ target_speaker_ids, proposals }: Grounding): readonly Proposal[] => {
  const targets = new Set(target_speaker_ids);
  const wanted = proposals.filter(({ speaker_id }) => targets.has(speaker_id));
  const answered = new Set(wanted.map(({ speaker_id }) => speaker_id));
  return [...wanted, ...[...targets].filter((id) => !answered.has(id)).map((speaker_id) => ({ speaker_id }))];
};

/** Whether another speaker of the audio has a name that reads the same. */
const takenNames = (speakers: Grounding['speakers']): ((name: string, by: SpeakerId) => boolean) => {
  const named = speakers.flatMap(({ speaker_id, name }) =>
    isRealName(name) ? [{ speaker_id, key: nameKey(name) }] : [],
  );
  return (name, by) => {
    const key = nameKey(name);
    return named.some((other) => other.key === key && other.speaker_id !== by);
  };
};

const namesOf = (proposals: readonly Proposal[], heard: readonly Heard[], speakers: Grounding['speakers']) => {
  const isTaken = takenNames(speakers);
  return withoutConflicts(
    proposals.map((proposal) => ({
      speaker_id: proposal.speaker_id,
      verdict: judgeName(proposal, heard, (name) => isTaken(name, proposal.speaker_id)),
    })),
  );
};

/**
 * What of a model's answer stands, by the transcript alone: one row for each proposal about a target, and one for each
 * target without any. The same for every model; nothing that the transcript or the model says changes the rules.
 */
export const ground = (question: Grounding): readonly ResultRow[] => {
  const { video_id, transcript, speakers, infer_roles } = question;
  const synthetic = new Set(speakers.filter((speaker) => speaker.synthetic).map(({ speaker_id }) => speaker_id));
  const heard = listen(transcript, synthetic);
  const roles = new Map(speakers.map(({ speaker_id, role }) => [speaker_id, role]));
  const proposals = proposalsForTargets(question);
  const names = namesOf(proposals, heard, speakers);
  return proposals.map((proposal, at) => ({
    speaker_id: proposal.speaker_id,
    video_id,
    ...(names[at] ?? { reason: 'no_proposal' as const }),
    ...(infer_roles ? judgeRole(proposal, roles.get(proposal.speaker_id) ?? null, heard) : {}),
  }));
};
