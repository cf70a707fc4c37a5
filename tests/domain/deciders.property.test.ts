import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { access } from '../../domain/access/decider.js';
import { audio } from '../../domain/audio/decider.js';
import type { Decider } from '../../domain/kernel/decider.js';
import { matchRun } from '../../domain/match-run/decider.js';
import { tagRegistry } from '../../domain/tag-registry/decider.js';
import { video } from '../../domain/video/decider.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import type { VideoState } from '../../domain/video/state.js';
import {
  accessCommand,
  audioCommand,
  matchRunCommand,
  tagRegistryCommand,
  videoCommand,
} from '../support/arbitrary-commands.js';
import { registerAudio } from '../support/audio-events.js';
import { type AnyEvent, expectReadable } from '../support/specification.js';
import { analyse, registerVideo, seen } from '../support/video-events.js';
import { at } from '../support/values.js';
import { shortOrLong } from '../support/long-form.js';

/** Arbitrary commands in arbitrary states: deciders never throw, and their events survive the log. */
const isTotal = <Command, State, Event extends AnyEvent, Refusal>(
  decider: Decider<Command, State, Event, Refusal>,
  command: fc.Arbitrary<Command>,
  beginning: ReadonlyArray<Command>,
  holds: (state: State) => void = () => undefined,
): void =>
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
      const log: Array<Event> = [];
      let state = decider.initial;
      for (const one of [...beginning, ...commands]) {
        const decision = decider.decide(one, state);
        expect(decider.decide(one, state)).to.deep.equal(decision);
        if (E.isLeft(decision)) continue;
        decision.right.forEach(expectReadable);
        const before = log.length;
        log.push(...decision.right);
        state = decision.right.reduce((now, event, index) => decider.evolve(now, event, before + index), state);
        holds(state);
      }
      expect(log.reduce(decider.evolve, decider.initial)).to.deep.equal(state);
    }),
    { numRuns: shortOrLong(120, 600) },
  );

const videoBeginning: ReadonlyArray<VideoCommand> = [
  registerVideo,
  analyse(
    [0, 1, 2, 3].map((id) => seen(id)),
    { at: at(0) },
  ),
];

const oneToOne = (state: VideoState): void => {
  if (state._tag !== 'Registered') return;
  const held = [...state.faces.values()].flatMap(({ speaker_id }) => (speaker_id === null ? [] : [speaker_id]));
  expect(new Set(held).size, 'a speaker has at most one face').to.equal(held.length);
};

describe('deciders', function () {
  this.timeout(120_000);
  it('a video decides every command in every state, and keeps faces and speakers one to one', () => {
    const reverts = (command: VideoCommand): boolean => command.type === 'RevertMatchRun';
    isTotal(
      video,
      videoCommand.filter((command) => !reverts(command)),
      videoBeginning,
      oneToOne,
    );
  });
  it('a video decides reverts of arbitrary changes', () => isTotal(video, videoCommand, videoBeginning));
  it('an unregistered video decides every command', () => isTotal(video, videoCommand, []));
  it('an audio decides every command in every state', () => isTotal(audio, audioCommand, [registerAudio]));
  it('an unregistered audio decides every command', () => isTotal(audio, audioCommand, []));
  it('a match run decides every command in every state', () => isTotal(matchRun, matchRunCommand, []));
  it('an account decides every command in every state', () => isTotal(access, accessCommand, []));
  it('a tag registry decides every command in every state', () => isTotal(tagRegistry, tagRegistryCommand, []));
});
