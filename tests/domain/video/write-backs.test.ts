import { expect } from 'chai';
import type { RegisteredVideo, VideoState } from '../../../domain/video/state.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import { broken, found, trigger, twoSpeakers, writeBack } from '../../support/run-commands.js';
import {
  audioWith,
  block,
  change,
  committed,
  completed,
  face,
  origin,
  proposed,
  queued,
  recordedMatch,
  stored,
  theVideo,
} from '../../support/video-events.js';

export const registeredIn = (state: VideoState): RegisteredVideo => {
  if (state._tag !== 'Registered') throw new Error('no video');
  return state;
};

const video = completed(face(1, 'Face 1', { personality_traits: { calm: 1 } }), face(2, 'Zoe'));
const suggested = [...video, queued('r', 'suggest', 0)];
const committing = [...video, queued('r', 'commit', 0)];
const named = audioWith([1, 'Ann'], [2, 'Bob']);

describe('a write-back with its run id', () => {
  it('of a suggest run stores a block and changes no face', () => {
    const before = registeredIn(theVideo.given(...suggested).state());
    const { channel, evidence } = proposed(1, 1);
    const mapping = { face_id: faceId(1), speaker_id: speakerId(1), name: 'Ann', accuracy: 0.7, channel, evidence };
    const state = theVideo
      .given(...suggested)
      .when(writeBack('r', 10, found(proposed(1, 1, 0.7)), named))
      .then(
        stored(
          block('r', 10, {
            mappings: [mapping],
            unmatched_speakers: [{ speaker_id: speakerId(2), reason: 'not_matched' }],
            unmatched_faces: [faceId(2)],
          }),
          10,
          { run: 'r' },
        ),
      );
    expect(registeredIn(state).faces).to.deep.equal(before.faces);
  });

  it('of a commit run changes faces, adopts a name where there is none, and clears personality data', () =>
    theVideo.given(...committing).cases([
      writeBack('r', 10, found(proposed(1, 1, 0.7), proposed(2, 2, 0.8)), named),
      [
        committed('r', 10, {
          matches: [recordedMatch(1, 1, 0.7), recordedMatch(2, 2, 0.8)],
          changes: [
            change(
              1,
              { name: 'Face 1', personality_traits: { calm: 1 } },
              { name: 'Ann', speaker_id: speakerId(1), accuracy: 0.7 },
              ['analysis', 'speaker'],
            ),
            change(2, { name: 'Zoe' }, { name: 'Zoe', speaker_id: speakerId(2), accuracy: 0.8 }),
          ],
        }),
      ],
    ]));

  it('of a commit run never replaces a real name by a label', () => {
    const state = theVideo
      .given(...committing)
      .when(writeBack('r', 10, found(proposed(2, 2)), audioWith([1, null], [2, 'SPEAKER_02'])))
      .thenState();
    expect(registeredIn(state).faces.get(faceId(2))?.name).to.equal('Zoe');
  });

  it('that failed ends the run', () =>
    theVideo.given(...committing).cases([
      writeBack('r', 10, broken),
      [
        {
          type: 'MatchRunFailed',
          data: {
            ...origin('r', 10),
            mode: 'commit',
            error: 'out of memory',
            replaced: [],
            withdraws_block: false,
          },
        },
      ],
    ]));

  it('is applied after the stale window if not superseded, and marked as late', () => {
    const [event] = theVideo
      .given(...suggested)
      .when(writeBack('r', 900.001, found()))
      .thenEvents();
    expect(event?.data).to.include({ attribution: 'own', late: true, late_write_suspected: false });
    const [inTime] = theVideo
      .given(...suggested)
      .when(writeBack('r', 900, found()))
      .thenEvents();
    expect(inTime?.data).to.include({ late: false });
  });

  it('of a run that was superseded, has ended or is unknown changes nothing', () => {
    for (const answer of [found(proposed(1, 1)), broken]) {
      theVideo
        .given(...suggested, queued('s', 'commit', 1_000, { supersedes: ['r'] }))
        .cases([writeBack('r', 1_001, answer), { _tag: 'RunSuperseded', run_id: runId('r') }]);
      theVideo
        .given(...suggested, stored(block('r', 10), 10, { run: 'r' }))
        .cases([writeBack('r', 11, answer), { _tag: 'RunNotOpen', run_id: runId('r') }]);
    }
    theVideo
      .given(...suggested)
      .cases([writeBack('other', 11, found()), { _tag: 'RunNotOpen', run_id: runId('other') }]);
  });

  it('is refused with a face or speaker twice or unknown, a speaker that is no target, and without an audio', () => {
    const of = (...matches: ReadonlyArray<ReturnType<typeof proposed>>) => writeBack('r', 10, found(...matches));
    theVideo
      .given(...committing)
      .cases(
        [of(proposed(1, 1), proposed(1, 2)), { _tag: 'DuplicateFace', face_id: faceId(1) }],
        [of(proposed(1, 1), proposed(2, 1)), { _tag: 'DuplicateSpeaker', speaker_id: speakerId(1) }],
        [of(proposed(7, 1)), { _tag: 'InvalidFace', face_id: faceId(7) }],
        [of(proposed(1, 7)), { _tag: 'InvalidSpeaker', speaker_id: speakerId(7) }],
        [writeBack('r', 10, found(proposed(1, 1)), null), { _tag: 'AudioMissing' }],
      );
    theVideo
      .given(...video, queued('r', 'commit', 0, { targets: [1] }))
      .cases([of(proposed(1, 2)), { _tag: 'SpeakerNotTargeted', speaker_id: speakerId(2) }]);
  });

  it('that failed is accepted without an audio', () =>
    expect(
      theVideo
        .given(...committing)
        .when(writeBack('r', 10, broken, null))
        .thenEvents(),
    ).to.have.length(1));

  it('remembers every run that may still answer, however many followed', () => {
    const many = Array.from({ length: 40 }, (_, index) => queued(`c${index}`, 'commit', index));
    const [event] = theVideo
      .given(...video, ...many)
      .when(trigger('commit', 100))
      .thenEvents();
    expect(event?.data).to.deep.include({ run_id: runId('new'), at: at(100) });
    theVideo.given(...video, ...many).cases([writeBack('c39', 100, found(), twoSpeakers), [committed('c39', 100, {})]]);
  });
});
