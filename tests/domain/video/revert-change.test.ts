import { expect } from 'chai';
import type { VideoEvent } from '../../../domain/video/events.js';
import { facesAfter, matched, on, outcome, renamed, undo } from '../../support/reverts.js';
import { faceId } from '../../support/values.js';
import { change, completed, face, theVideo } from '../../support/video-events.js';

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
});
