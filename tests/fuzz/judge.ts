import { codeOf, faultOfForm } from '../support/contract-answer.js';
import type { Control } from './control.js';
import type { Answered, Ended } from './connection.js';
import type { WholeAnswer } from './read-answers.js';
import type { WireRequest } from './requests.js';

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Milliseconds. */
export const longestAnswer = 1_000;
/** A read with a position that is never reached is answered after two seconds (the contract). */
const longestWait = 3_000;

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

/**
 * An answer that was too late, also without the time in which the machine was busy. If the service's main thread
 * worked for less than half of the time, the cause is unknown (a disk, a virtual processor that was not scheduled):
 * such a request is tried again.
 */
export class Late extends Error {
  readonly isOwn: boolean;
  constructor(what: string, ms: number, ran: number) {
    super(`${what} after ${Math.round(ms)} ms, of which the service was at work for ${Math.round(ran)} ms`);
    this.isOwn = ran > ms / 2;
  }
}

const lateness = (what: string, ms: number, most: number, { partSince, ranSince }: Control): Late | null => {
  if (ms <= most) return null;
  const since = performance.now() - ms;
  return ms > most + partSince(since) ? new Late(what, ms, ranSince(since)) : null;
};

/** The fault of an answer that was just received; null if there is none. */
export const judge = ({ request, answer, ms }: Answered, control: Control): Late | string | null => {
  const since = performance.now() - ms;
  if (answer === null)
    return control.partSince(since) > ms / 2
      ? new Late('no answer', ms, control.ranSince(since))
      : `no answer, ${Math.round(ms)} ms`;
  /* A write must be visible within two seconds, which a busy machine may miss. */
  if (codeOf(answer.text) === 'read_model_behind' && !request.waits && control.partSince(since) > ms / 2)
    return new Late('503 read_model_behind', ms, control.ranSince(since));
  return (
    faultOf(request, answer) ??
    lateness(String(answer.status), ms, request.waits ? longestWait : longestAnswer, control)
  );
};

/** The same for bytes sent on a separate connection. */
export const judgeEnded = (
  request: WireRequest,
  { answers, ended, ms, rest }: Ended,
  control: Control,
): Late | string | null => {
  if (!ended)
    return `the connection stays open, after ${answers.map(({ status }) => status).join(', ') || 'no answer'}`;
  const upgraded = answers.at(-1)?.status === 101;
  if (rest.replaceAll(goOn, '') !== '' && !upgraded) return `half an answer: ${JSON.stringify(rest)}`;
  return (
    answers.map((answer) => faultOf(request, answer)).find((fault) => fault !== null) ??
    lateness('ended', ms, longestAnswer, control)
  );
};
