import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Grounder } from '../../application/ports/name-model.js';
import { ground } from '../../domain/grounding/ground.js';

/** Grounds in the thread that asks. */
export const groundAtOnce: Grounder = (grounding) => TE.fromIO(() => ground(grounding));
