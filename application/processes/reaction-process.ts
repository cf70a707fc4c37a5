import type { Parts } from '../application.js';
import { finishErasure } from '../use-cases/erasure/erase.js';
import { reactionsOfProcess } from '../reactions/run.js';
import { withReactions } from '../reactions/table.js';
import { processNames } from './done-up-to.js';
import type { Process } from './run-process.js';

/** Finishes what a request could not: runs the reactions to every event of the log, most of which are done already. */
export const reactionProcess = (app: Parts): Process => ({
  name: processNames.followUps,
  filter: withReactions,
  concurrency: 1,
  react: finishErasure(app, reactionsOfProcess(app)),
});
