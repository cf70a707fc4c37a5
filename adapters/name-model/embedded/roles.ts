import type { Utterance } from '../../../domain/audio/speech.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';

type RoleProposal = Required<Pick<Proposal, 'role' | 'role_quote'>>;

interface Sign {
  readonly role: SpeakerRole;
  readonly words: RegExp;
  readonly weight: number;
}

const sign = (role: SpeakerRole, weight: number, words: string): Sign => ({
  role,
  weight,
  words: new RegExp(words, 'iu'),
});

const signs: readonly Sign[] = [
  sign(
    'agent',
    4,
    String.raw`\b(?:how (?:can|may|could) (?:i|we) (?:help|assist)|what can i (?:do for|help) you|how can i be of)`,
  ),
  sign('agent', 3, String.raw`\b(?:thank you|thanks) for (?:calling|contacting|choosing|reaching out)`),
  sign(
    'agent',
    3,
    String.raw`\b(?:anything|something) else (?:that )?(?:i|we) can|is there anything else|any other questions i`,
  ),
  sign('agent', 2.5, String.raw`\b(?:may|can|could) i (?:please )?(?:have|get|ask for|know|take) (?:you|your|the)\b`),
  sign(
    'agent',
    2,
    String.raw`\bwhat(?:'s| is) your (?:\w+ )?(?:name|account|email|phone|number|date of birth|username|address|order)`,
  ),
  sign(
    'agent',
    2,
    String.raw`\b(?:i|we) can help you (?:with|out)|(?:happy|glad) to (?:help|assist)|let me (?:pull|look) (?:up|that|it|into)`,
  ),
  sign(
    'agent',
    2,
    String.raw`\b(?:i have|i've|we have|i will|i'll) (?:\w+ )?(?:pulled up|ordered your|updated your|transferred|reset|process|submitted)`,
  ),
  sign('agent', 1.5, String.raw`\bhave a (?:great|good|nice|wonderful) (?:day|one|night|evening|weekend)`),
  sign(
    'customer',
    3,
    String.raw`\bi(?:'ve| have)? (?:just )?(?:lost|forgot|forgotten|received the wrong|got the wrong|never received|can't|cannot|ordered)\b`,
  ),
  sign(
    'customer',
    2.5,
    String.raw`\bi(?:'d| would) like to (?!thank|apologi)|\bi (?:need|want|wanted) (?:to|help|some help|a refund)\b|i was (?:wondering|hoping)`,
  ),
  sign(
    'customer',
    2.5,
    String.raw`\b(?:can|could|will) you (?:please )?(?:help me|send me|tell me|check|transfer|cancel|reset|give me)`,
  ),
  sign(
    'customer',
    2,
    String.raw`\bmy (?:order|account|card|credit card|debit card|password|package|item|money|bill|refund|subscription)\b`,
  ),
  sign(
    'customer',
    1.5,
    String.raw`\b(?:thanks|thank you) for (?:your help|helping|all your help|the help|trying)|\bi(?:'m| am) calling (?:about|because|to)`,
  ),
];

interface Found {
  readonly score: number;
  readonly best: { readonly role: SpeakerRole; readonly weight: number; readonly quote: string } | null;
}

const [most, surest] = [12, 3];

/** The sentence in which a sign is seen. */
const sentenceAt = (text: string, at: number): string => {
  const start = Math.max(...['.', '?', '!', '\n'].map((mark) => text.lastIndexOf(mark, at - 1))) + 1;
  const ends = ['.', '?', '!', '\n'].map((mark) => text.indexOf(mark, at)).filter((end) => end >= 0);
  return text.slice(start, ends.length === 0 ? text.length : Math.min(...ends) + 1).trim();
};

/** How much like an agent (above 0) or a customer (below) a speaker talks, and the words that show it best. */
const look = (texts: readonly string[]): Found => {
  let score = 0;
  let best: Found['best'] = null;
  for (const { role, words, weight } of signs) {
    const seen = texts.flatMap((text) => {
      const at = text.replace(/’/g, "'").search(words);
      return at < 0 ? [] : [sentenceAt(text, at)];
    });
    const [quote] = seen;
    if (quote === undefined) continue;
    score += (role === 'agent' ? 1 : -1) * weight * Math.min(2, seen.length);
    if (best === null || weight > best.weight) best = { role, weight, quote };
  }
  return { score: Math.max(-most, Math.min(most, score)), best };
};

const quoteFor = (role: SpeakerRole, texts: readonly string[]): string | null => {
  for (const { words } of signs.filter((one) => one.role === role)) {
    for (const text of texts) {
      const at = text.replace(/’/g, "'").search(words);
      if (at >= 0) return sentenceAt(text, at);
    }
  }
  return null;
};

/** Agent and customer of a service call between two; nothing where it is none, or not clear. */
export const rolesOf = (transcript: readonly Utterance[]): ReadonlyMap<SpeakerId, RoleProposal> => {
  const texts = new Map<SpeakerId, string[]>();
  for (const { speaker_id, text } of transcript) texts.set(speaker_id, [...(texts.get(speaker_id) ?? []), text]);
  const found = [...texts].map(([id, said]) => ({ id, said, ...look(said) })).sort((a, b) => b.score - a.score);
  const [agent, customer] = found;
  if (agent === undefined || customer === undefined || found.length > 2) return new Map();
  if (agent.score < surest || agent.score - customer.score < surest) return new Map();
  return new Map(
    (
      [
        [agent, 'agent'],
        [customer, 'customer'],
      ] as const
    ).flatMap(([{ id, said }, role]) => {
      const role_quote = quoteFor(role, said);
      return role_quote === null ? [] : [[id, { role, role_quote }] as const];
    }),
  );
};
