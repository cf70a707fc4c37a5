import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { holdIncompleteRequests } from '../../../adapters/http/connections/hold-incomplete.js';
import { connectionAccepted } from '../../../adapters/runtime/event-loop.js';

describe('requests whose body is incomplete', () => {
  const request = (complete: boolean): IncomingMessage =>
    Object.assign(new IncomingMessage(new Socket()), { complete });

  /** Turns of the event loop in each of which a connection arrives. */
  const arrivalsFor = async (milliseconds: number): Promise<void> => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      connectionAccepted();
      // oxlint-disable-next-line no-await-in-loop -- one connection in each turn
      await setImmediate();
    }
  };

  const holding = (count: number) => {
    const { startInTurn, isHeld } = holdIncompleteRequests();
    const started: IncomingMessage[] = [];
    const start = (complete: boolean, isFirst = true): IncomingMessage => {
      const one = request(complete);
      startInTurn(one, isFirst, () => started.push(one));
      return one;
    };
    const incomplete = Array.from({ length: count }, () => start(false));
    return { started, start, isHeld, incomplete };
  };

  it('start in order, slowly while connections arrive and all of them afterwards', async () => {
    const { started, isHeld, incomplete } = holding(100);
    await arrivalsFor(100);
    expect(started.length).to.be.within(1, 10);
    expect(incomplete.filter(isHeld).length).to.equal(100 - started.length);
    while (started.length < 100) await setTimeout(1);
    expect(incomplete.filter(isHeld)).to.deep.equal([]);
    expect(incomplete.every((one) => started.includes(one))).to.equal(true);
  });

  it('do not hold up a request whose body is complete', async () => {
    const { started, start } = holding(50);
    await arrivalsFor(5);
    const complete = start(true);
    while (!started.includes(complete)) await arrivalsFor(1);
    expect(started.length).to.be.below(10);
  });

  it('start a request once its body has arrived', async () => {
    const { started, incomplete } = holding(50);
    await arrivalsFor(5);
    const last = incomplete[49];
    if (last === undefined) throw new Error('not reached');
    Object.assign(last, { complete: true });
    while (!started.includes(last)) await arrivalsFor(1);
    expect(started.length).to.be.below(20);
  });

  it('on known connections start at once, unless connections arrive', async () => {
    const { started, start } = holding(0);
    await setTimeout(20);
    start(false, false);
    expect(started.length).to.equal(1);
    connectionAccepted();
    start(false, false);
    expect(started.length).to.equal(1);
    while (started.length < 2) await setTimeout(1);
  });

  it('start at once where no others arrive', async () => {
    const { started } = holding(1);
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    expect(started.length).to.equal(1);
  });

  it('are forgotten when they were refused before they started', async () => {
    const { started, incomplete } = holding(50);
    for (const { socket } of incomplete) socket.destroy();
    const { started: later } = holding(1);
    while (later.length === 0) await setTimeout(1);
    await setTimeout(30);
    expect(started).to.deep.equal([]);
  });
});
