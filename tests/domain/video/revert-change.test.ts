import { expect } from 'chai';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { RecordFields } from '../../../domain/kernel/edit.js';
import { facesAfter, matched, on, outcome, renamed, undo } from '../../support/reverts.js';
import { at, faceId, runId } from '../../support/values.js';
import { editOfFace } from '../../../domain/video/face.js';
import { audioWith, change, committed, completed, face, queued, theVideo } from '../../support/video-events.js';

const calm = { personality_traits: { calm: 1 } };
const fresh: VideoEvent = {
  type: 'PersonalityTraitsRecorded',
  data: { face_id: faceId(1), personality_traits: { fresh: 1 } },
};

describe('a change of faces that is undone', () => {
  const video = completed(face(1, 'Face 1', calm), face(2, 'Zoe'));
  const match = matched(10, change(1, { name: 'Face 1', ...calm }, on(1, 'Ann'), ['analysis', 'speaker']));

  it('restores name, who gave it, speaker and personality data', () => {
    expect(facesAfter([...video, match], undo(match))[0]).to.deep.equal([
      1,
      'Face 1',
      'analysis',
      null,
      null,
      { calm: 1 },
    ]);
  });

  it('leaves and reports a field that was changed since, and restores the others', () => {
    const given = [...video, match, renamed(11, 'Eve', 'Ann')];
    expect(outcome(given, undo(match))).to.deep.include({
      faces: [change(1, on(1, 'Eve'), { name: 'Eve', ...calm })],
      changed_since: [{ record: 'face', id: 1, fields: ['name'] }],
    });
  });

  it('leaves and reports new personality data', () => {
    expect(outcome([...video, match, fresh], undo(match)).changed_since).to.deep.equal([
      { record: 'face', id: 1, fields: ['personality_traits'] },
    ]);
    expect(facesAfter([...video, match, fresh], undo(match))[0]).to.deep.equal([
      1,
      'Face 1',
      'analysis',
      null,
      null,
      { fresh: 1 },
    ]);
  });

  it('does not report a field that already has its earlier value', () => {
    const unmatched: VideoEvent = {
      type: 'FaceUnmatched',
      data: { changes: [change(1, on(1, 'Ann'), { name: 'Ann' })], at: at(11) },
    };
    expect(outcome([...video, match, unmatched], undo(match))).to.deep.include({
      faces: [editOfFace(change(1, { name: 'Ann' }, { name: 'Face 1', ...calm }, ['speaker', 'analysis']))],
      changed_since: [],
    });
  });

  it('does not restore a speaker that has another face or was removed, nor its accuracy', () => {
    const lost = matched(10, change(1, on(1, 'Ann', { accuracy: 0.9 }), on(2, 'Ann')));
    const given = [...completed(face(1, 'Ann', on(1, 'Ann', { accuracy: 0.9 })), face(2, 'Zoe')), lost];
    const left: ReadonlyArray<RecordFields> = [{ record: 'face', id: 1, fields: ['speaker_id', 'accuracy'] }];
    const taken = matched(11, change(2, { name: 'Zoe' }, on(1, 'Zoe')));
    theVideo
      .given(...given, taken)
      .when(undo(lost))
      .thenRefused({ _tag: 'NothingToRevert', changed_since: left });
    theVideo
      .given(...given)
      .when({ ...undo(lost), audio: audioWith([2, 'Bob']) })
      .thenRefused({ _tag: 'NothingToRevert', changed_since: left });
    expect(facesAfter(given, undo(lost))[0]).to.deep.equal([1, 'Ann', 'analysis', 1, 0.9, null]);
  });

  it('restores swapped speakers', () => {
    const swap = matched(10, change(1, on(1, 'A'), on(2, 'A')), change(2, on(2, 'B'), on(1, 'B')));
    const given = [...completed(face(1, 'A', on(1, 'A')), face(2, 'B', on(2, 'B'))), swap];
    expect(facesAfter(given, undo(swap)).map(([id, , , speaker]) => [id, speaker])).to.deep.equal([
      [1, 1],
      [2, 2],
    ]);
  });

  it('restores an accuracy only to its own match', () => {
    const confirmed = matched(10, change(1, on(1, 'Ann', { accuracy: 0.7 }), on(1, 'Ann')));
    const given = [...completed(face(1, 'Ann', on(1, 'Ann', { accuracy: 0.7 }))), confirmed];
    expect(facesAfter(given, undo(confirmed))[0]).to.deep.equal([1, 'Ann', 'analysis', 1, 0.7, null]);
    const moved = matched(11, change(1, on(1, 'Ann'), on(2, 'Ann')));
    theVideo
      .given(...given, moved)
      .when(undo(confirmed))
      .thenRefused({
        _tag: 'NothingToRevert',
        changed_since: [{ record: 'face', id: 1, fields: ['accuracy'] }],
      });
  });

  it('restores who gave the name if only that changed', () => {
    const claim = matched(10, change(1, on(1, 'Ann'), on(1, 'Ann'), ['analysis', 'person']));
    const given = [...completed(face(1, 'Ann', on(1, 'Ann'))), claim];
    expect(facesAfter(given, undo(claim))[0]).to.deep.include('analysis');
    const [again] = theVideo
      .given(...given)
      .when(undo(claim))
      .thenEvents();
    theVideo
      .given(...given, ...(again === undefined ? [] : [again]))
      .when(undo(claim))
      .thenRefused({ _tag: 'NothingToRevert', changed_since: [] });
  });

  it('leaves a name that a person has claimed since', () => {
    const claim = matched(11, change(1, on(1, 'Ann'), on(1, 'Ann'), ['speaker', 'person']));
    expect(outcome([...video, match, claim], undo(match)).changed_since).to.deep.equal([
      { record: 'face', id: 1, fields: ['name'] },
    ]);
  });

  it('reports a face that no longer exists', () =>
    theVideo
      .given(...completed(face(2, 'Zoe')))
      .when(undo(match))
      .thenRefused({
        _tag: 'NothingToRevert',
        changed_since: [{ record: 'face', id: 1, fields: ['name', 'speaker_id', 'personality_traits'] }],
      }));

  it('can be undone, and redone', () => {
    const [first] = theVideo
      .given(...video, match)
      .when(undo(match))
      .thenEvents();
    if (first === undefined) throw new Error('no revert');
    const [second] = theVideo
      .given(...video, match, first)
      .when(undo(first))
      .thenEvents();
    if (second === undefined) throw new Error('no revert of the revert');
    expect(facesAfter([...video, match, first], undo(first))[0]).to.deep.equal([1, 'Ann', 'speaker', 1, null, null]);
    expect(facesAfter([...video, match, first, second], undo(second))[0]?.[1]).to.equal('Face 1');
  });

  it('combines several events of one change', () => {
    const again = renamed(10, 'Eve', 'Ann', 'speaker');
    expect(facesAfter([...video, match, again], undo(match, again))[0]?.slice(1, 4)).to.deep.equal([
      'Face 1',
      'analysis',
      null,
    ]);
  });

  it('records the run', () => {
    const run = committed('r', 2, {
      changes: [change(1, { name: 'Face 1', ...calm }, on(1, 'Face 1', { accuracy: 0.5 }))],
    });
    expect(outcome([...video, queued('r', 'commit', 1), run], { ...undo(run), run_id: runId('r') })).to.include({
      run_id: 'r',
    });
  });
});
