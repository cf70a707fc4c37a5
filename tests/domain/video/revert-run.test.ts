import { expect } from 'chai';
import type { AudioFacts, VideoCommand, VideoRefusal } from '../../../domain/video/contract.js';
import { type FaceChange, mergeChanges } from '../../../domain/video/changes.js';
import { withoutWithdrawn } from '../../../domain/video/decisions/revert-change.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { matched, on as linked } from '../../support/reverts.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import { audioWith, change, committed, completed, face, queued, theVideo } from '../../support/video-events.js';

const on = (speaker: number | null, name: string, accuracy: number | null = 0.9) =>
  linked(speaker, name, { accuracy: speaker === null ? null : accuracy });
const everybody = audioWith([1, null], [2, null], [3, null]);
const revert = (changes: ReadonlyArray<FaceChange>, audio: AudioFacts = everybody): VideoCommand => ({
  type: 'RevertMatchRun',
  run_id: runId('r'),
  changes,
  revision: 2,
  audio,
  at: at(50),
});
const reverted = (changes: ReadonlyArray<FaceChange>, changed_since: ReadonlyArray<number> = []): VideoEvent => ({
  type: 'MatchRunReverted',
  data: { run_id: runId('r'), changes, changed_since: changed_since.map(faceId), at: at(50) },
});
const byHand = (...changes: ReadonlyArray<FaceChange>): VideoEvent => matched(20, ...changes);
const nothingLeft = (...faces: ReadonlyArray<number>): VideoRefusal => ({
  _tag: 'NothingToRevert',
  changed_since: faces.map((id) => ({ record: 'face', id, fields: [] })),
});
const traitsCame = (id: number): VideoEvent => ({
  type: 'PersonalityTraitsRecorded',
  data: { face_id: faceId(id), personality_traits: { fresh: 1 } },
});

const calm = { personality_traits: { calm: 1 } };
const one = change(1, { name: 'Face 1', ...calm }, on(1, 'Ann'), ['analysis', 'speaker']);
const two = change(2, on(1, 'Zoe', null), on(null, 'Zoe'));
const three = change(3, { name: 'Max' }, on(2, 'Max'));
const oneBack = change(1, one.after, one.before, ['speaker', 'analysis']);
const threeBack = change(3, three.after, three.before);
const ran = (changes: ReadonlyArray<FaceChange>) => [
  ...completed(face(1, 'Face 1', calm), face(2, 'Zoe', { speaker_id: speakerId(1) }), face(3, 'Max')),
  queued('r', 'commit', 1),
  committed('r', 2, { changes }),
];

/** `made`: by the run. `since`: what happened after it. Then the changes of the revert, and the faces that it left. */
const rule = (
  text: string,
  made: ReadonlyArray<FaceChange>,
  since: VideoEvent | null,
  back: ReadonlyArray<FaceChange>,
  ...left: ReadonlyArray<number>
) =>
  it(text, () => {
    const given = theVideo.given(...ran(made), ...(since === null ? [] : [since]));
    given.cases([revert(made), back.length === 0 ? nothingLeft(...left) : [reverted(back, left)]]);
  });

describe('the revert of a run', () => {
  const twoBack = change(2, two.after, two.before);
  rule('restores names, who gave them, matches and personality data', [two, one], null, [twoBack, oneBack]);
  const again = byHand(change(1, on(1, 'Ann'), on(1, 'Ann', 0.5)));
  rule('leaves a face that was changed since', [one], again, [], 1);
  rule('restores the others', [one, three], again, [threeBack], 1);
  const renamed = byHand(change(3, on(2, 'Max'), on(2, 'Tom')));
  rule('leaves a face that was changed in a field which the run left alone', [three], renamed, [], 3);
  rule('leaves a face with new personality data', [one, three], traitsCame(1), [threeBack], 1);
  rule('does so where the run touched none', [three], traitsCame(3), [], 3);
  const confirmed = byHand(change(1, on(1, 'Ann'), on(1, 'Ann', null)));
  const confirmedBack = change(1, on(1, 'Ann', null), one.before, ['speaker', 'analysis']);
  rule('does not mind a field that has its earlier value', [one], confirmed, [confirmedBack]);
  const claimed = byHand(change(1, on(1, 'Ann'), on(1, 'Ann'), ['speaker', 'person']));
  rule('leaves a face whose name a person has claimed since', [one], claimed, [], 1);
  const kept = change(1, { name: 'Face 1' }, on(1, 'Face 1'), ['analysis', 'speaker']);
  const claimedBefore = byHand(change(1, kept.after, kept.after, ['speaker', 'person']));
  const keptBack = change(1, kept.after, kept.before);
  rule('does not mind a claim of a name that the run left', [kept], claimedBefore, [keptBack]);
  rule('does nothing the second time', [one], reverted([oneBack]), []);
  const taken = byHand(change(1, on(1, 'Ann'), on(2, 'Ann')), change(3, on(null, 'Max'), on(1, 'Max', null)));
  rule('leaves a face whose earlier speaker another face has', [two, one], taken, [], 2, 1);
  rule('leaves a face that no longer exists', [change(7, {}, on(3, 'Cid'))], null, [], 7);

  it('leaves a face whose earlier speaker no longer exists', () =>
    theVideo.given(...ran([two, one])).cases([revert([two], audioWith([2, null])), nothingLeft(2)]));

  it('leaves a chain of faces blocked by one that stays', () => {
    const swap = [
      change(1, on(1, 'A'), on(2, 'A')),
      change(2, on(2, 'B'), on(3, 'B')),
      change(3, on(3, 'C'), on(1, 'C')),
    ];
    const chain = [
      ...completed(face(1, 'A', on(1, 'A')), face(2, 'B', on(2, 'B')), face(3, 'C', on(3, 'C'))),
      queued('r', 'commit', 1),
      committed('r', 2, { changes: swap }),
    ];
    const back = swap.map(({ face_id, before, after }) => change(face_id, after, before));
    theVideo.given(...chain).cases([revert(swap), [reverted(back)]]);
    theVideo
      .given(...chain, byHand(change(3, on(1, 'C'), on(1, 'C', 0.1))))
      .cases([revert(swap), nothingLeft(1, 2, 3)]);
  });

  it('restores a speaker of two changed faces only to the later one', () => {
    const first = [change(1, on(1, 'A'), on(null, 'A')), change(2, on(null, 'B'), on(1, 'B'))];
    const second = [change(2, on(1, 'B', null), on(3, 'B'))];
    theVideo
      .given(
        ...completed(face(1, 'A', on(1, 'A')), face(2, 'B')),
        queued('r', 'commit', 1),
        committed('r', 2, { attribution: 'assumed', changes: first }),
        byHand(change(2, on(1, 'B'), on(1, 'B', null))),
        committed('r', 3, { attribution: 'assumed', changes: second }),
      )
      .cases([revert(mergeChanges(first, second)), [reverted([change(2, on(3, 'B'), on(1, 'B', null))], [1])]]);
  });
});

describe('what a run’s own answer takes back of an assumed one', () => {
  it('is without speakers that were withdrawn', () => {
    const kept = [change(2, on(2, 'Bob'), {}), change(3, {}, on(2, 'Bob'))];
    expect(withoutWithdrawn([change(1, on(1, 'Ann'), on(2, 'Ann')), ...kept], audioWith([2, null]))).to.deep.equal([
      change(1, { name: 'Ann' }, on(2, 'Ann')),
      ...kept,
    ]);
  });
});
