import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';

const sane = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
const header = 'X-Request-Id';

/** The id of a request: the caller's own if it is sane, else a new one. */
export const idOfRequest = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUID();
};

/** Gives every response the request's id. */
export const requestId: RequestHandler = (request, response, next) => {
  response.set(header, idOfRequest(request));
  next();
};

export const requestIdOf = (response: Response): string => String(response.get(header));
