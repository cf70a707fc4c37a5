import type { BodyError, Refusal } from './errors.js';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBodyError = (value: unknown): value is BodyError =>
  isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';

/** `Retry-After`: seconds, or a date; null where it is neither. */
const secondsOf = (header: string | null): number | null => {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000);
};

/** What stands between the service and the client says so without a body of the service's. */
const gatewayStatuses: ReadonlyArray<number> = [502, 503, 504];

const mayBeRetried = (status: number, detail: unknown): boolean => {
  const said = isRecord(detail) ? detail['retryable'] : undefined;
  if (typeof said === 'boolean') return said;
  return status === 408 || status === 429 || (detail === undefined && gatewayStatuses.includes(status));
};

const mostText = 200;

/** What the service says in an answer that is not 200. */
export const refusalOf = (
  status: number,
  text: string,
  body: unknown,
  header: (name: string) => string | null,
): Refusal => {
  const detail = isRecord(body) ? body['detail'] : undefined;
  const said = isRecord(detail) ? detail : {};
  const message = typeof detail === 'string' ? detail : said['message'];
  const after = said['retry_after_seconds'];
  const errors = said['errors'];
  return {
    status,
    code: typeof said['code'] === 'string' ? said['code'] : null,
    message:
      typeof message === 'string' ? message : `${status} ${text.replaceAll(/\s+/g, ' ').slice(0, mostText)}`.trim(),
    request_id: header('X-Request-Id'),
    retryable: status !== 409 && mayBeRetried(status, detail),
    retry_after_seconds: secondsOf(header('Retry-After')) ?? (typeof after === 'number' ? after : null),
    detail,
    errors: Array.isArray(errors) ? errors.filter(isBodyError) : [],
  };
};
