import { serveTasks } from '../../adapters/runtime/thread-tasks.js';

/** What the thread has to do. */
export type Order = 'answer' | 'answer otherwise' | 'throw' | 'die' | 'hang' | 'fill';

const work = async (order: Order): Promise<ReadonlyArray<number>> => {
  switch (order) {
    case 'answer':
      return [1, 2, 3];
    case 'answer otherwise':
      return [1, 2, Number.NaN];
    case 'throw':
      throw new TypeError('thrown by a test');
    case 'die':
      return process.exit(7);
    case 'hang':
      return new Promise<ReadonlyArray<number>>(() => undefined);
    case 'fill': {
      const kept: string[][] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => `${at} and more`));
    }
  }
};

serveTasks({ work });
