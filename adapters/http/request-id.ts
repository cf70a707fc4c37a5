import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const sane = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
const header = 'X-Request-Id';

/** Gives every response the request's id: the caller's own if it is sane, else a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get(header);
  response.set(header, given !== undefined && sane.test(given) ? given : randomUUID());
  next();
};

export const requestIdOf = (response: Response): string => String(response.get(header));
