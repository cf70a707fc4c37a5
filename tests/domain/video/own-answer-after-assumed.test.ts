import { expect } from 'chai';
import type { VideoState } from '../../../domain/video/state.js';
import { assumed, matched, runFailed } from '../../support/assumed-answers.js';
import { at, audioId, runId } from '../../support/values.js';
import { broken, found, writeBack } from '../../support/run-commands.js';
import {
  audioWith,
  block,
  change,
  committed,
  completed,
  face,
  proposed,
  queued,
  recordedMatch,
  renamedFaces,
  stored,
  theVideo,
} from '../../support/video-events.js';

const video = completed(face(1, 'Face 1'), face(2, 'Zoe'));
const speakers = audioWith([1, 'Ann'], [2, 'Bob']);
const facesOf = (state: VideoState) =>
  state._tag === 'Registered'
    ? [...state.faces.values()].map(({ face_id, name, speaker_id }) => [face_id, name, speaker_id])
    : [];
const faceOne = change(1, { name: 'Face 1' }, matched(1, 'Ann'), ['analysis', 'speaker']);

describe('the own answer of a run after an assumed answer', () => {
  const given = [
    ...video,
    queued('r', 'commit', 0),
    committed('r', 10, { ...assumed('r'), matches: [recordedMatch(1, 1)], changes: [faceOne] }),
  ];
  const back = change(1, matched(1, 'Ann'), { name: 'Face 1' }, ['speaker', 'analysis']);

  it('takes back the assumed changes and applies its own', () => {
    const state = theVideo
      .given(...given)
      .when(writeBack('r', 20, found(proposed(2, 1, 0.6)), speakers))
      .then(
        committed('r', 20, {
          matches: [recordedMatch(2, 1, 0.6)],
          replaced: [back],
          changes: [change(2, { name: 'Zoe' }, matched(1, 'Zoe', 0.6))],
        }),
      );
    expect(facesOf(state)).to.deep.equal([
      [1, 'Face 1', null],
      [2, 'Zoe', 1],
    ]);
  });

  it('takes them back when the run reports a failure', () => {
    const state = theVideo
      .given(...given)
      .when(writeBack('r', 20, broken))
      .then(runFailed(20, {}, { replaced: [back] }));
    expect(facesOf(state)[0]).to.deep.equal([1, 'Face 1', null]);
  });

  it('leaves a face that was changed since', () => {
    theVideo
      .given(...given, renamedFaces(15, [[1, 'Eve', 'Ann', 'speaker']]))
      .cases([writeBack('r', 20, broken), [runFailed(20, {}, {})]]);
  });

  it('takes back the changes of several assumed answers', () => {
    const second = committed('r', 12, {
      ...assumed('r'),
      changes: [change(1, matched(1, 'Ann'), { name: 'Ann' }), change(2, { name: 'Zoe' }, matched(1, 'Zoe'))],
    });
    const state = theVideo
      .given(...given, second)
      .when(writeBack('r', 20, broken))
      .thenState();
    expect(facesOf(state)).to.deep.equal([
      [1, 'Face 1', null],
      [2, 'Zoe', null],
    ]);
  });

  it('removes the assumed block when a suggest run reports a failure', () => {
    const withBlock = [...video, queued('r', 'suggest', 0), stored(block('r', 5), 5, { run: 'r', ...assumed('r') })];
    const state = theVideo
      .given(...withBlock)
      .when(writeBack('r', 20, broken))
      .then(runFailed(20, {}, { mode: 'suggest', withdraws_block: true }));
    expect(state).to.deep.include({
      audio_id: audioId('a'),
      match: { status: 'failed', queued_at: at(0), mode: 'suggest', run_id: runId('r') },
    });
  });

  it('is too late after a newer trigger', () =>
    theVideo
      .given(...given, queued('n', 'commit', 30))
      .cases([writeBack('r', 31, broken), { _tag: 'RunSuperseded', run_id: runId('r') }]));
});
