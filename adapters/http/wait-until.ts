import * as E from 'fp-ts/lib/Either.js';
import type { Asked, Company, News } from './wait-together.js';

/** What is waited for. Times in milliseconds. */
interface Waiting<Refused, Answer> extends Pick<Asked<Refused, Answer>, 'ask' | 'isReady'> {
  /** With whom to wait; not looked for where nothing is waited for. */
  readonly company: () => Company<Refused, Answer>;
  /** After what time the answer may be another without any change; null where only a change makes it one. */
  readonly laterAfter: (answer: Answer) => number | null;
  readonly patience: number;
}

/** An answer that was waited for. */
interface Waited<Answer> {
  readonly answer: Answer;
  /** When all others who waited for it are told too; null where it is told to one alone. */
  readonly othersTold: Promise<void> | null;
}

const waited = <Refused, Answer>(
  told: E.Either<Refused, Answer>,
  othersTold: Promise<void> | null = null,
): E.Either<Refused, Waited<Answer>> => (E.isLeft(told) ? told : E.right({ answer: told.right, othersTold }));

/** Answers as soon as the answer is ready, or as it stands once patience is at its end. Costs nothing in between. */
export const waitUntil = async <Refused, Answer>({
  ask,
  isReady,
  company: find,
  laterAfter,
  patience,
}: Waiting<Refused, Answer>): Promise<E.Either<Refused, Waited<Answer>>> => {
  if (patience <= 0) return waited(await ask());
  const company = find();
  const deadline = performance.now() + patience;
  const waiter: { news: News<Refused, Answer> | null; wake: (() => void) | null } = { news: null, wake: null };
  // Waiting begins before the question, so that no change between the two is missed.
  const leave = company.join((news) => {
    waiter.news = news;
    waiter.wake?.();
  });
  const untilNews = (within_ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, within_ms);
      waiter.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    for (let told = ask(); ; told = company.askNow()) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const answer = await told;
      const left = deadline - performance.now();
      if (left <= 0 || E.isLeft(answer) || isReady(answer.right)) return waited(answer);
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      if (waiter.news === null) await untilNews(Math.min(left, laterAfter(answer.right) ?? left));
      if (waiter.news !== null) return waited(await waiter.news.told, waiter.news.othersTold);
    }
  } finally {
    leave();
  }
};
