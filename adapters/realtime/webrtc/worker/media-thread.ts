import { parentPort, workerData } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { PeerOptions } from '../engine-options.js';
import { opusDecoders } from '../audio/opus-decoders.js';
import { Ask, type Tell } from '../messages.js';
import { mediaSessions } from './media-sessions.js';
import { reportBatches } from './report-batches.js';

/* A media thread: sessions by id, asked by messages. A packet that breaks the connection of one must not end the others. */

const say = (message: Tell): void => parentPort?.postMessage(message, []);
const reports = reportBatches((batch) => say({ tell: 'reports', reports: batch }));
/** What is told comes after the reports that were made before it. */
const tell = (message: Tell): void => {
  reports.flush();
  say(message);
};
const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
const faultOf = (error: unknown): void => tell({ tell: 'fault', reason: reasonOf(error) });
process.on('uncaughtException', faultOf);
process.on('unhandledRejection', faultOf);

const options = PeerOptions.decode(workerData);
if (E.isLeft(options)) throw new Error('a media thread was started without its options');

const sessions = mediaSessions(options.right, opusDecoders(), (session, report) => reports.add({ session, report }));

const answer = async (ask: Ask): Promise<Tell> => {
  const { request } = ask;
  const done: Tell = { tell: 'done', sdp: '', request };
  switch (ask.ask) {
    case 'negotiate': {
      const outcome = await sessions.negotiate(ask.session, ask.sdp);
      return E.isLeft(outcome)
        ? { tell: 'refused', reason: outcome.left, request }
        : { tell: 'done', sdp: outcome.right, request };
    }
    case 'candidate': {
      const reason = await sessions.addCandidate(ask.session, ask);
      return reason === undefined ? done : { tell: 'refused', reason, request };
    }
    case 'close':
      await sessions.close(ask.session);
      return done;
    case 'ping':
      return done;
    case 'stop':
      await sessions.closeAll();
      return done;
  }
};

parentPort?.on('message', (message: unknown) => {
  const ask = Ask.decode(message);
  if (E.isLeft(ask)) return;
  const { request } = ask.right;
  answer(ask.right).then(tell, (error: unknown) => {
    faultOf(error);
    tell({ tell: 'failed', reason: reasonOf(error), request });
  });
});
