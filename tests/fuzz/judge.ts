import { codeOf, faultOfForm, type HttpAnswer } from '../support/http-client.js';
import type { FuzzRequest } from './requests.js';

/** Whether the contract permits a 503 for such a request. */
const isMeant = ({ waits, label }: FuzzRequest, text: string): boolean => {
  const code = codeOf(text);
  return (waits && code === 'read_model_behind') || (label === 'POST /v2/realtime/session' && code === 'at_capacity');
};

/** The fault of an answer; null if there is none. */
export const judge = (request: FuzzRequest, answer: Omit<HttpAnswer, 'body'>): string | null => {
  const { status, text } = answer;
  if (status >= 500 && !(status === 503 && isMeant(request, text))) return `${status} ${text.slice(0, 200)}`;
  /* Redirects are those of the example page; preflights have no body; an answer to HEAD has none either. */
  if (status < 400 || request.method === 'HEAD') return null;
  const fault = faultOfForm({ status, text, headers: Object.fromEntries(answer.headers) });
  return fault === null ? null : `${fault}: ${status} ${text.slice(0, 200)}`;
};
