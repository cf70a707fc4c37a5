import { expect } from 'chai';
import type { Utterance } from '../../../domain/audio/events.js';
import { type Grounding, ground } from '../../../domain/grounding/ground.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';
import type { NameReason, ResultRow } from '../../../domain/grounding/result-row.js';
import { speakerId, videoId } from '../../support/values.js';

/** `0: Hello.` is an utterance of speaker 0; each takes five seconds. */
export const said = (...lines: readonly string[]): readonly Utterance[] =>
  lines.map((line, at) => {
    const [, speaker = '', text = ''] = /^(\d+):\s?(.*)$/su.exec(line) ?? [];
    return { speaker_id: speakerId(Number(speaker)), text, start: at * 5, end: at * 5 + 5 };
  });

/** A proposal about speaker 1, who is the target of most cases. */
export const about1 = (proposal: Omit<Proposal, 'speaker_id'>): Proposal => ({ speaker_id: speakerId(1), ...proposal });

export const speaker = (id: number, name: string | null = null): Grounding['speakers'][number] => ({
  speaker_id: speakerId(id),
  name,
  role: null,
  synthetic: false,
});

/** Grounds proposals about speaker 1 in a transcript of speakers 0 to 2 without names. */
export const grounding = (
  transcript: readonly Utterance[],
  proposals: readonly Proposal[],
  changes: Partial<Grounding> = {},
): readonly ResultRow[] =>
  ground({
    video_id: videoId('v1'),
    transcript,
    speakers: [0, 1, 2].map((id) => speaker(id)),
    target_speaker_ids: [speakerId(1)],
    infer_roles: false,
    proposals,
    ...changes,
  });

/** The verdict on the only proposal: the accepted name, or the reason against it. */
export const verdict = (
  transcript: readonly Utterance[],
  proposal: Omit<Proposal, 'speaker_id'>,
  changes: Partial<Grounding> = {},
): string | undefined => {
  const [row] = grounding(transcript, [about1(proposal)], changes);
  return row?.name ?? row?.reason;
};

export const expectReason = (
  transcript: readonly Utterance[],
  proposal: Omit<Proposal, 'speaker_id'>,
  reason: NameReason,
): void => {
  expect(verdict(transcript, proposal), JSON.stringify(proposal)).to.equal(reason);
};
