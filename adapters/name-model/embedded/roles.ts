import type { Utterance } from '../../../domain/audio/events.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped } from './weigh.js';

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

const [maxScore, minLead] = [12, 3];

const [charactersBefore, charactersAfter] = [80, 120];
const marks = /[.?!\n]/;

/** The sentence with a sign; of a long sentence, the words around the sign. */
const sentenceAt = (text: string, at: number): string => {
  const [near, far] = [Math.max(0, at - charactersBefore), Math.min(text.length, at + charactersAfter)];
  const before = text.slice(near, at);
  const after = text.slice(at, far);
  const cutBefore = near > 0 ? before.replace(/^\S*\s/u, '') : before;
  const cutAfter = far < text.length ? after.replace(/\s\S*$/u, '') : after;
  const end = cutAfter.search(marks);
  const own = cutBefore.split(marks).at(-1) ?? '';
  return (own + (end < 0 ? cutAfter : cutAfter.slice(0, end + 1))).trim();
};

const placeOf = ({ words }: Sign, text: string): number => text.replace(/’/g, "'").search(words);

/** Scores whether somebody talks like an agent (above 0) or a customer (below 0). */
const roleScore = (texts: readonly string[]): number => {
  const score = signs.reduce((sum, sign) => {
    const times = texts.filter((text) => placeOf(sign, text) >= 0).length;
    return sum + (sign.role === 'agent' ? 1 : -1) * sign.weight * Math.min(2, times);
  }, 0);
  return Math.max(-maxScore, Math.min(maxScore, score));
};

/** The sentence that shows the role best. */
const quoteFor = (role: SpeakerRole, texts: readonly string[]): string | null => {
  for (const sign of signs.filter((one) => one.role === role))
    for (const text of texts) {
      const at = placeOf(sign, text);
      if (at >= 0) return sentenceAt(text, at);
    }
  return null;
};

/** Agent and customer of a service call between two people; empty if it is not such a call or not clear. */
export const rolesOf = (transcript: readonly Utterance[]): ReadonlyMap<SpeakerId, RoleProposal> => {
  const found = [...grouped(transcript, ({ speaker_id }) => speaker_id)]
    .map(([id, own]) => ({ id, said: own.map(({ text }) => text) }))
    .map((one) => ({ ...one, score: roleScore(one.said) }))
    .sort((one, other) => other.score - one.score);
  const [agent, customer] = found;
  if (agent === undefined || customer === undefined || found.length > 2) return new Map();
  if (agent.score < minLead || agent.score - customer.score < minLead) return new Map();
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
