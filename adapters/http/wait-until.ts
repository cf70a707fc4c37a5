import * as E from 'fp-ts/lib/Either.js';
import type { Asked, Company } from './wait-together.js';

/** What is waited for. Times in milliseconds. */
interface Waiting<Refused, Answer> extends Pick<Asked<Refused, Answer>, 'ask' | 'isReady'> {
  /** With whom to wait; not looked for where nothing is waited for. */
  readonly company: () => Company<Refused, Answer>;
  /** After what time the answer may be another without any change; null where only a change makes it one. */
  readonly laterAfter: (answer: Answer) => number | null;
  readonly patience: number;
}

/** Answers as soon as the answer is ready, or as it stands once patience is at its end. Costs nothing in between. */
export const waitUntil = async <Refused, Answer>({
  ask,
  isReady,
  company: find,
  laterAfter,
  patience,
}: Waiting<Refused, Answer>): Promise<E.Either<Refused, Answer>> => {
  if (patience <= 0) return ask();
  const company = find();
  const deadline = performance.now() + patience;
  const news: { told: Promise<E.Either<Refused, Answer>> | null; heard: (() => void) | null } = {
    told: null,
    heard: null,
  };
  // Waiting begins before the question, so that no change between the two is missed.
  const leave = company.join((told) => {
    news.told = told;
    news.heard?.();
  });
  const untilNews = (within_ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, within_ms);
      news.heard = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    for (let told = ask(); ; told = company.askNow()) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const answer = await told;
      const left = deadline - performance.now();
      if (left <= 0 || E.isLeft(answer) || isReady(answer.right)) return answer;
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      if (news.told === null) await untilNews(Math.min(left, laterAfter(answer.right) ?? left));
      if (news.told !== null) return news.told;
    }
  } finally {
    leave();
  }
};
