import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';

const realtime = fileURLToPath(new URL('../../../docs/examples/realtime', import.meta.url));

/** What a page of ours may do: load from this service alone, and use the microphone. */
const headers = {
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'Permissions-Policy': 'microphone=(self)',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Serves the examples that users open in a browser. */
export const serveExamples = (server: Express): void => {
  server.use('/examples/realtime', (_, response, next) => {
    response.set(headers);
    next();
  });
  server.use('/examples/realtime', express.static(realtime));
};
