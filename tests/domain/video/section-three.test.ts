import { expect } from 'chai';
import { isInFlight, isStale } from '../../../domain/video/write-back.js';
import type { VideoState } from '../../../domain/video/state.js';
import { registeredIn } from '../../support/specification.js';
import { at, runId, speakerId } from '../../support/values.js';
import {
  broken,
  found,
  stale_seconds,
  trigger,
  twoSpeakers,
  writeBack,
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

const matchOf = (state: VideoState) => registeredIn(state).match;

const video = completed(face(1, 'Face 1'), face(2, 'Face 2'));
const suggested = [...video, queued('old', 'suggest', 0)];
const committing = [...video, queued('old', 'commit', 0)];

describe('section 3, row by row', () => {
  describe('POST suggestions with no run in flight', () => {
    it('queues and stamps queued_at', () => {
      const given = theVideo.given(...video);
      given.cases([trigger('suggest', 5), [queued('new', 'suggest', 5)]]);
      const state = given.after(trigger('suggest', 5));
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
        .cases([trigger('suggest', 5, { targets: [2, 1, 2] }), [queued('new', 'suggest', 5, { targets: [2, 1] })]]));
    it('starts a new run after a completed one, even within its window', () =>
      theVideo
        .given(...suggested, stored(block('old', 10)))
        .cases([trigger('suggest', 11), [queued('new', 'suggest', 11)]]));
  });

  it('a suggest run that its worker finishes is completed or failed', () => {
    for (const [answer, status] of [
      [found(), 'completed'],
      [broken, 'failed'],
    ] as const) {
      const state = theVideo.given(...suggested).after(writeBack('old', 10, answer));
      expect(matchOf(state)).to.include({ status, queued_at: at(0), mode: 'suggest' });
    }
  });

  (['suggest', 'commit'] as const).forEach((mode) => {
    it(`${mode}: a trigger within 15 minutes of queued_at is refused`, () => {
      const refusal = { _tag: 'RunInFlight', run_id: runId('old'), queued_at: at(0) } as const;
      for (const seconds of [0, 1, 899.999, 900]) theVideo.given(...suggested).cases([trigger(mode, seconds), refusal]);
    });
    it(`${mode}: a run older than 15 minutes, or without queued_at, is treated as not in flight`, () => {
      const started = (seconds: number) => queued('new', mode, seconds, { supersedes: ['old'] });
      for (const seconds of [900.001, 100_000])
        theVideo.given(...suggested).cases([trigger(mode, seconds), [started(seconds)]]);
      theVideo.given(...committing).cases([trigger(mode, 0.001), [started(0.001)]]);
    });
  });

  describe('a commit-mode POST', () => {
    it('stores queue, and clears mode and queued_at', () => {
      const state = theVideo.given(...suggested).state();
      expect(matchOf(state).mode).to.equal('suggest');
      const after = theVideo.given(...suggested).after(trigger('commit', 1_000));
      expect(matchOf(after)).to.deep.equal({ status: 'queue', queued_at: null, mode: null, run_id: runId('new') });
      expect(isInFlight(matchOf(after), at(1_000), stale_seconds)).to.equal(false);
      expect(isStale(matchOf(after), at(1_000), stale_seconds)).to.equal(true);
    });
    it('leaves that to stand when its worker answers', () => {
      for (const answer of [found(), found(proposed(1, 1)), broken]) {
        const given = theVideo.given(...committing);
        expect(matchOf(given.after(writeBack('old', 10, answer)))).to.deep.equal(matchOf(given.state()));
      }
    });
  });

  it('only a queued run is in flight or stale', () => {
    for (const status of ['completed', 'failed', null] as const) {
      const run = { status, queued_at: at(0) };
      expect([isInFlight(run, at(1), 60), isStale(run, at(100), 60)], String(status)).to.deep.equal([false, false]);
    }
  });
});

describe('POST speaker-face-match, both modes: prerequisites (7.3)', () => {
  (['suggest', 'commit'] as const).forEach((mode) => {
    it(`${mode}: the video and its audio must exist`, () => {
      theVideo.given().cases([trigger(mode, 0), { _tag: 'UnknownVideo' }]);
      for (const given of [[registered({ audio: null }), analysed([])], video])
        theVideo.given(...given).cases([trigger(mode, 0, { audio: null }), { _tag: 'AudioMissing' }]);
    });
    it(`${mode}: targets must be the audio's, and not empty, also while a run is in flight`, () =>
      theVideo
        .given(...suggested)
        .cases(
          [trigger(mode, 0, { targets: [] }), { _tag: 'EmptyTargets' }],
          [trigger(mode, 0, { targets: [1, 7] }), { _tag: 'TargetNotInAudio', speaker_id: speakerId(7) }],
        ));
    it(`${mode}: video and audio must be completed, whatever the targets`, () => {
      const refusal = { _tag: 'MediaNotCompleted' } as const;
      const unanalysed = { ...twoSpeakers, speakers: [], status: 'queue' } as const;
      theVideo
        .given(...video)
        .cases([
          trigger(mode, 0, { targets: [7], audio: unanalysed }),
          { ...refusal, medium: 'audio', status: 'queue' },
        ]);
      for (const status of ['queue', 'processing', 'failed'] as const) {
        theVideo
          .given(registered(), analysed([], status))
          .cases([trigger(mode, 0), { ...refusal, medium: 'video', status }]);
        theVideo
          .given(...video)
          .cases([trigger(mode, 0, { audio: { ...twoSpeakers, status } }), { ...refusal, medium: 'audio', status }]);
      }
    });
  });
});
