import { codeOf, faultOfForm } from '../support/contract-answer.js';
import type { Control } from './control.js';
import type { Answered, Ended } from './lane.js';
import type { WholeAnswer } from './read-answers.js';
import type { WireRequest } from './requests.js';

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Milliseconds. */
const longestAnswer = 1_000;
/** A read that asks for a position that does not come is given up after two seconds (the contract). */
const longestWait = 3_000;

/** Whether a 503 is what the contract has for such a request. */
const isMeant = ({ waits, label }: WireRequest, text: string): boolean => {
  const code = codeOf(text);
  return (waits && code === 'read_model_behind') || (label === 'POST /v2/realtime/session' && code === 'at_capacity');
};

const faultOf = (request: WireRequest, answer: WholeAnswer): string | null => {
  const { status, text } = answer;
  if (status >= 500 && !(status === 503 && isMeant(request, text)) && !(status === 501 && !request.whole))
    return `${status} ${text.slice(0, 200)}`;
  /* Redirects are those of the example page; preflights have no body; an answer to HEAD has none either. */
  if (status < 400 || request.method === 'HEAD') return null;
  const fault = faultOfForm(answer);
  return fault === null ? null : `${fault}: ${status} ${text.slice(0, 200)}`;
};

/** Whether an answer came too late, not counting what the machine was busy with something else. */
const isLate = (ms: number, most: number, { partSince }: Control): boolean =>
  ms > most && ms > most + partSince(performance.now() - ms);

/** What is wrong with what a request was answered just now; null when nothing is. */
export const judge = ({ request, answer, ms }: Answered, control: Control): string | null => {
  if (answer === null) return `no answer, ${Math.round(ms)} ms`;
  if (isLate(ms, request.waits ? longestWait : longestAnswer, control))
    return `${answer.status} after ${Math.round(ms)} ms`;
  return faultOf(request, answer);
};

/** The same for bytes that had a connection of their own. */
export const judgeEnded = (
  request: WireRequest,
  { answers, ended, ms, rest }: Ended,
  control: Control,
): string | null => {
  if (!ended)
    return `the connection stays open, after ${answers.map(({ status }) => status).join(', ') || 'no answer'}`;
  if (isLate(ms, longestAnswer, control)) return `ended after ${Math.round(ms)} ms`;
  const upgraded = answers.at(-1)?.status === 101;
  if (rest.replaceAll(goOn, '') !== '' && !upgraded) return `half an answer: ${JSON.stringify(rest)}`;
  return answers.map((answer) => faultOf(request, answer)).find((fault) => fault !== null) ?? null;
};
