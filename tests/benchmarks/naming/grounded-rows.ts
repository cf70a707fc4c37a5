import type { Proposal } from '../../../domain/grounding/proposal.js';
import { ground } from '../../../domain/grounding/ground.js';
import type { ResultRow } from '../../../domain/grounding/result-row.js';
import type { Conversation } from './read-sets.js';

const fold = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[’']s(?!\p{L})/gu, ' s')
    .replace(/[’']/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()} `;

/** Stops the benchmark at an accepted row without evidence in the transcript, by an independent check. */
const check = ({ id, transcript }: Conversation, row: ResultRow): void => {
  const { name, quote, quote_location: place, role_quote, role_quote_location: rolePlace } = row;
  const said = fold(transcript[place?.index ?? -1]?.text ?? '');
  const isGrounded = name === undefined || (said.includes(fold(quote ?? '')) && fold(quote ?? '').includes(fold(name)));
  const own = transcript[rolePlace?.index ?? -1];
  const hasOwnWords =
    role_quote === undefined || (own?.speaker_id === row.speaker_id && fold(own.text).includes(fold(role_quote)));
  if (!isGrounded || !hasOwnWords) throw new Error(`${id}: not grounded: ${JSON.stringify(row)}`);
};

/** A model's proposals for all speakers of a conversation, grounded. */
export const groundedRows = (conversation: Conversation, proposals: readonly Proposal[]): readonly ResultRow[] => {
  const ids = [...conversation.truth.keys()];
  const rows = ground({
    video_id: null,
    transcript: conversation.transcript,
    speakers: ids.map((speaker_id) => ({ speaker_id, name: null, role: null, synthetic: false })),
    target_speaker_ids: ids,
    infer_roles: true,
    proposals,
  });
  rows.forEach((row) => check(conversation, row));
  return rows;
};

/** The question to a model about a conversation: who all speakers are. */
export const questionAbout = ({ transcript, truth }: Conversation) => ({
  transcript,
  speakers: [...truth.keys()].map((speaker_id) => ({ speaker_id, name: null })),
  target_speaker_ids: [...truth.keys()],
  infer_roles: true,
});
