import { keepExamples } from './support/record-examples.js';

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('which file did tests note examples down in?');
keepExamples(from);
