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

/** A line for each sign: the role, the weight, and an expression for the words. */
const signs: readonly Sign[] = [
  ...String.raw`
agent    4   \b(?:how (?:can|may|could) (?:i|we) (?:help|assist)|what can i (?:do for|help) you|how can i be of)
agent    3   \b(?:thank you|thanks) for (?:calling|contacting|choosing|reaching out)
agent    3   \b(?:anything|something) else (?:that )?(?:i|we) can|is there anything else|any other questions i
agent    2.5 \b(?:may|can|could) i (?:please )?(?:have|get|ask for|know|take) (?:you|your|the)\b
agent    2   \bwhat(?:'s| is) your (?:\w+ )?(?:name|account|email|phone|number|date of birth|username|address|order)
agent    2   \b(?:i|we) can help you (?:with|out)|(?:happy|glad) to (?:help|assist)|let me (?:pull|look) (?:up|that|it|into)
agent    2   \b(?:i have|i've|we have|i will|i'll) (?:\w+ )?(?:pulled up|ordered your|updated your|transferred|reset|process|submitted)
agent    1.5 \bhave a (?:great|good|nice|wonderful) (?:day|one|night|evening|weekend)
customer 3   \bi(?:'ve| have)? (?:just )?(?:lost|forgot|forgotten|received the wrong|got the wrong|never received|can't|cannot|ordered)\b
customer 2.5 \bi(?:'d| would) like to (?!thank|apologi)|\bi (?:need|want|wanted) (?:to|help|some help|a refund)\b|i was (?:wondering|hoping)
customer 2.5 \b(?:can|could|will) you (?:please )?(?:help me|send me|tell me|check|transfer|cancel|reset|give me)
customer 2   \bmy (?:order|account|card|credit card|debit card|password|package|item|money|bill|refund|subscription)\b
customer 1.5 \b(?:thanks|thank you) for (?:your help|helping|all your help|the help|trying)|\bi(?:'m| am) calling (?:about|because|to)
`.matchAll(/^(agent|customer) +([\d.]+) +(.+)$/gm),
].map(([, role, weight, words = '']) => ({
  role: role === 'agent' ? 'agent' : 'customer',
  weight: Number(weight),
  words: new RegExp(words, 'iu'),
}));

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
  const proposed = ({ id, said }: typeof agent, role: SpeakerRole) => {
    const role_quote = quoteFor(role, said);
    return role_quote === null ? [] : [[id, { role, role_quote }] as const];
  };
  return new Map([...proposed(agent, 'agent'), ...proposed(customer, 'customer')]);
};
