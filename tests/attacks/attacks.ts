import { largeAnswers, largeBodies } from './kinds/large-bodies-and-answers.js';
import { throughNginx } from './kinds/through-proxy.js';
import { work } from './kinds/work.js';
import type { Attack } from './support/scene.js';

/** Every attack, in the order in which they are made. */
export const attacks: ReadonlyArray<Attack> = [...largeBodies, ...largeAnswers, ...work, ...throughNginx];
