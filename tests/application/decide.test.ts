import { expect } from 'chai';
import type * as E from 'fp-ts/lib/Either.js';
import { decisionMaker } from '../../application/commands/decide.js';
import type { AnyEvent } from '../../application/commands/read-event.js';
import { commandContext } from '../../application/commands/context.js';
import { type Decider, record } from '../../domain/kernel/decider.js';
import { type InParts, runToEnd } from '../../domain/kernel/in-parts.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { world } from '../support/application/world.js';

/** Counts to the number in the command, one number in each part. */
const counter: Decider<number, number, AnyEvent, never> = {
  category: 'counter',
  initial: 0,
  evolve: (state) => state + 1,
  decide: (most, state) => runToEnd(countTo(most, state)),
  decideInParts: (most, state) => countTo(most, state),
};
function* countTo(most: number, state: number): InParts<E.Either<never, ReadonlyArray<AnyEvent>>> {
  const counted: AnyEvent[] = [];
  for (let number = state; number < most; number += 1) {
    counted.push({ type: 'Counted', data: { number } });
    yield;
  }
  return record(...counted);
}

describe('deciding in parts', () => {
  it('yields to other work before, between and after the parts', async () => {
    const opened = await openInMemory();
    const { app, request } = world(opened.store);
    let calls = 0;
    let turns = 0;
    const yieldIfBusy = (): Promise<void> | null => {
      calls += 1;
      return calls % 2 === 0 ? null : Promise.resolve().then(() => void (turns += 1));
    };
    const decide = decisionMaker(opened.store, counter, yieldIfBusy);
    const decision = await decide('counter-c', { state: 0, revision: -1 }, 5, commandContext(app.ids, request()))();
    expect(decision).to.deep.equal(counter.decide(5, 0));
    expect([calls, turns]).to.deep.equal([7, 4]);
    await opened.close();
  });
});
