import { codeOf, faultOfForm } from '../support/contract-answer.js';
import type { Answered, Ended } from './connection.js';
import type { WholeAnswer } from './read-answers.js';
import type { WireRequest } from './requests.js';

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Whether the contract permits a 503 for such a request. */
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

/** The fault of an answer; null if there is none. */
export const judge = ({ request, answer, ms }: Answered): string | null =>
  answer === null ? `no answer, ${Math.round(ms)} ms` : faultOf(request, answer);

/** The same for bytes sent on a separate connection. */
export const judgeEnded = (request: WireRequest, { answers, ended, rest }: Ended): string | null => {
  if (!ended)
    return `the connection stays open, after ${answers.map(({ status }) => status).join(', ') || 'no answer'}`;
  const upgraded = answers.at(-1)?.status === 101;
  if (rest.replaceAll(goOn, '') !== '' && !upgraded) return `half an answer: ${JSON.stringify(rest)}`;
  return answers.map((answer) => faultOf(request, answer)).find((fault) => fault !== null) ?? null;
};
