import { expect } from 'chai';
import { isInFlight, isStale } from '../../../domain/video/write-back.js';
import type { StoredMatch, VideoState } from '../../../domain/video/state.js';
import { at, runId, speakerId } from '../../support/values.js';
import { broken, found, stale_seconds, trigger, twoSpeakers, writeBack } from '../../support/run-commands.js';
import {
  analysed,
  block,
  completed,
  face,
  proposed,
  queued,
  registered,
  stored,
  theVideo,
} from '../../support/video-events.js';

const matchOf = (state: VideoState): StoredMatch => {
  if (state._tag !== 'Registered') throw new Error('no video');
  return state.match;
};

const video = completed(face(1, 'Face 1'), face(2, 'Face 2'));
const suggested = [...video, queued('old', 'suggest', 0)];
const committing = [...video, queued('old', 'commit', 0)];
const emptyBlock = block('old', 10);

describe('section 3, row by row', () => {
  describe('POST suggestions with no run in flight', () => {
    it('queues and stamps queued_at', () => {
      const state = theVideo
        .given(...video)
        .when(trigger('suggest', 5))
        .then(queued('new', 'suggest', 5));
      expect(matchOf(state)).to.deep.equal({
        status: 'queue',
        queued_at: at(5),
        mode: 'suggest',
        run_id: runId('new'),
      });
    });
    it('keeps the targets without duplicates', () =>
      theVideo
        .given(...video)
        .when(trigger('suggest', 5, { targets: [2, 1, 2] }))
        .then(queued('new', 'suggest', 5, { targets: [2, 1] })));
    it('starts a new run after a completed one, even within its window', () =>
      theVideo
        .given(...suggested, stored(emptyBlock, 10, { run: 'old' }))
        .when(trigger('suggest', 11))
        .then(queued('new', 'suggest', 11)));
  });

  describe('a worker finishes a suggest run', () => {
    it('with success: completed, and the block is stored', () => {
      const state = theVideo
        .given(...suggested)
        .when(writeBack('old', 10, found()))
        .thenState();
      expect(matchOf(state)).to.include({ status: 'completed', queued_at: at(0), mode: 'suggest' });
    });
    it('with failure: failed', () => {
      const state = theVideo
        .given(...suggested)
        .when(writeBack('old', 10, broken))
        .thenState();
      expect(matchOf(state)).to.include({ status: 'failed', queued_at: at(0), mode: 'suggest' });
    });
  });

  describe('a new trigger within 15 minutes of queued_at', () => {
    (['suggest', 'commit'] as const).forEach((mode) =>
      [0, 1, 899, 899.999, 900].forEach((seconds) =>
        it(`is refused: ${mode} after ${seconds} s`, () =>
          theVideo
            .given(...suggested)
            .when(trigger(mode, seconds))
            .thenRefused({ _tag: 'RunInFlight', run_id: runId('old'), queued_at: at(0) })),
      ),
    );
  });

  describe('a stale run is treated as not in flight', () => {
    (['suggest', 'commit'] as const).forEach((mode) => {
      [900.001, 901, 100_000].forEach((seconds) =>
        it(`older than 15 minutes: ${mode} after ${seconds} s`, () =>
          theVideo
            .given(...suggested)
            .when(trigger(mode, seconds))
            .then(queued('new', mode, seconds, { supersedes: ['old'] }))),
      );
      it(`without queued_at: ${mode} right after a commit trigger`, () =>
        theVideo
          .given(...committing)
          .when(trigger(mode, 0.001))
          .then(queued('new', mode, 0.001, { supersedes: ['old'] })));
    });
  });

  describe('a commit-mode POST', () => {
    it('stores queue, and clears mode and queued_at', () => {
      const state = theVideo.given(...suggested).state();
      expect(matchOf(state).mode).to.equal('suggest');
      const after = theVideo
        .given(...suggested)
        .when(trigger('commit', 1_000))
        .thenState();
      expect(matchOf(after)).to.deep.equal({ status: 'queue', queued_at: null, mode: null, run_id: runId('new') });
      expect(isInFlight(matchOf(after), at(1_000), stale_seconds)).to.equal(false);
      expect(isStale(matchOf(after), at(1_000), stale_seconds)).to.equal(true);
    });
    [found(), found(proposed(1, 1)), broken].forEach((answer) =>
      it(`leaves that to stand when its worker answers ${answer.status}`, () => {
        const before = matchOf(theVideo.given(...committing).state());
        const state = theVideo
          .given(...committing)
          .when(writeBack('old', 10, answer))
          .thenState();
        expect(matchOf(state)).to.deep.equal(before);
      }),
    );
  });
});

describe('POST speaker-face-match, both modes: prerequisites (7.3)', () => {
  (['suggest', 'commit'] as const).forEach((mode) => {
    it(`${mode}: the video must exist`, () =>
      theVideo.given().when(trigger(mode, 0)).thenRefused({ _tag: 'UnknownVideo' }));
    it(`${mode}: it must have an audio`, () =>
      theVideo
        .given(registered({ audio: null }), analysed([]))
        .when(trigger(mode, 0, { audio: null }))
        .thenRefused({ _tag: 'AudioMissing' }));
    it(`${mode}: its audio must exist`, () =>
      theVideo
        .given(...video)
        .when(trigger(mode, 0, { audio: null }))
        .thenRefused({ _tag: 'AudioMissing' }));
    it(`${mode}: targets must not be empty, also while a run is in flight`, () =>
      theVideo
        .given(...suggested)
        .when(trigger(mode, 0, { targets: [] }))
        .thenRefused({ _tag: 'EmptyTargets' }));
    it(`${mode}: targets must be the audio's, also while a run is in flight`, () =>
      theVideo
        .given(...suggested)
        .when(trigger(mode, 0, { targets: [1, 7] }))
        .thenRefused({ _tag: 'TargetNotInAudio', speaker_id: speakerId(7) }));
    it(`${mode}: the audio must have an analysis, whatever the targets`, () =>
      theVideo
        .given(...video)
        .when(trigger(mode, 0, { targets: [7], audio: { ...twoSpeakers, speakers: [], status: 'queue' } }))
        .thenRefused({ _tag: 'MediaNotCompleted', medium: 'audio', status: 'queue' }));
    (['queue', 'processing', 'failed'] as const).forEach((status) => {
      it(`${mode}: no video at ${status}`, () =>
        theVideo
          .given(registered(), analysed([], status))
          .when(trigger(mode, 0))
          .thenRefused({ _tag: 'MediaNotCompleted', medium: 'video', status }));
      it(`${mode}: no audio at ${status}`, () =>
        theVideo
          .given(...video)
          .when(trigger(mode, 0, { audio: { ...twoSpeakers, status } }))
          .thenRefused({ _tag: 'MediaNotCompleted', medium: 'audio', status }));
    });
  });
});
