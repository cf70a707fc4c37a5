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

/** 503: temporarily unavailable; the client should retry after `retry_after_seconds`. */
export const later = (code: string, message: string, retry_after_seconds = 1): HttpError => ({
  ...coded(503, code, message, { retryable: true, retry_after_seconds }),
  headers: { 'Retry-After': String(retry_after_seconds) },
});

/** The answer to a request whose handling threw. */
export const unexpected: HttpError = coded(500, 'internal_error', 'Internal server error');
