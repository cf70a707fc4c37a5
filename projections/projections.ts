import { access } from './access.js';
import { audios } from './audios.js';
import { credits } from './credits.js';
import { matchRuns } from './match-runs.js';
import { nameQuestions } from './name-questions.js';
import type { Projection } from './tables.js';
import { videos } from './videos.js';

/** All projections, in the order in which they process each event. */
export const projections: ReadonlyArray<Projection> = [videos, audios, nameQuestions, matchRuns, access, credits];
