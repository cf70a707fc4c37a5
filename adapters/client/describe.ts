import { ApiError } from './errors.js';

const shownErrors = 5;

/** What a call rejected with, in one line for people: status, code, message, and which places of the body do not fit. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof ApiError)) return error.message;
  const { status, code, message, errors } = error;
  const listed = errors.slice(0, shownErrors).map((one) => `${one.path}: ${one.message}`);
  const more = errors.length > shownErrors ? `; and ${errors.length - shownErrors} more` : '';
  const places = listed.length === 0 ? '' : ` (${listed.join('; ')}${more})`;
  return `${message.startsWith(`${status} `) ? '' : `${status} `}${code === null ? '' : `${code}: `}${message}${places}`;
};
