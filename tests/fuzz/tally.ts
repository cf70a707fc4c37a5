import type { WireRequest } from './requests.js';

const maxShown = 40;
const maxBytes = 600;

/** Counts answers by status and collects faults. */
export const createTally = () => {
  const statuses = new Map<string, number>();
  const kinds = new Map<string, number>();
  const notes: string[] = [];
  let [count, faults] = [0, 0];

  const note = (text: string): void => {
    faults += 1;
    if (notes.length >= maxShown) return;
    notes.push(text);
    console.log(text);
  };

  return {
    /** Records a fault that does not belong to one request. */
    note,
    add: (index: number, request: WireRequest, status: number | null, fault: string | null): void => {
      const { label, bytes } = request;
      count += 1;
      const unanswered = request.whole ? 'no answer' : 'no answer (malformed HTTP)';
      const name = status === null ? unanswered : String(status);
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
      if (fault === null) return;
      const kind = `${label}: ${fault.replace(/\d+ ms/, '… ms').slice(0, 120)}`;
      const times = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, times);
      if (times === 1)
        note(`--at=${index} ${label}: ${fault}\n    ${JSON.stringify(bytes.toString('latin1', 0, maxBytes))}`);
      else faults += 1;
    },
    count: () => count,
    faults: () => faults,
    report: (): string =>
      [
        ...[...kinds].filter(([, times]) => times > 1).map(([kind, times]) => `${times} times: ${kind}`),
        `answers: ${[...statuses]
          .sort(([, one], [, other]) => other - one)
          .map(([status, times]) => `${status} ×${times}`)
          .join(', ')}`,
      ].join('\n'),
  };
};
