/** The answer to a request that is refused or fails (specification, section 7.1). */
export interface HttpError {
  readonly status: number;
  readonly detail: string | ({ readonly code: string; readonly message: string } & Readonly<Record<string, unknown>>);
  readonly headers?: Readonly<Record<string, string>>;
}

export const coded = (
  status: number,
  code: string,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): HttpError => ({ status, detail: { code, message, ...facts } });

/** The client should retry after `retry_after_seconds`. */
export const retryable = (
  status: 429 | 503,
  code: string,
  message: string,
  retry_after_seconds = 1,
  facts: Readonly<Record<string, unknown>> = {},
): HttpError => ({
  ...coded(status, code, message, { ...facts, retryable: true, retry_after_seconds }),
  headers: { 'Retry-After': String(retry_after_seconds) },
});

/** 503: temporarily unavailable. */
export const later = (code: string, message: string, retry_after_seconds?: number): HttpError =>
  retryable(503, code, message, retry_after_seconds);

/** The answer to a request whose handling threw. */
export const unexpected: HttpError = coded(500, 'internal_error', 'Internal server error');
