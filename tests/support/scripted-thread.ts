import { serveTasks } from '../../adapters/runtime/thread-tasks.js';

/** What the thread of the tests is to do. */
export type Order = 'answer' | 'throw' | 'die' | 'hang' | 'fill';

const work = async (order: Order): Promise<Uint8Array> => {
  switch (order) {
    case 'answer':
      return new Uint8Array([1, 2, 3]);
    case 'throw':
      throw new TypeError('as it was told');
    case 'die':
      return process.exit(7);
    case 'hang':
      return new Promise<Uint8Array>(() => undefined);
    case 'fill': {
      const kept: string[][] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => `${at} and more`));
    }
  }
};

serveTasks({ work, transferOf: ({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []) });
