import { expect } from 'chai';
import { nameMatchAccuracy } from '../../../domain/matching/name-channel.js';
import type { AudioFacts } from '../../../domain/video/contract.js';
import type { SuggestedMapping } from '../../../domain/video/write-back.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import { trigger } from '../../support/run-commands.js';
import {
  audioWith,
  block,
  change,
  committed,
  completed,
  face,
  queued,
  recordedMatch,
  stored,
  theVideo,
} from '../../support/video-events.js';

const video = completed(face(1, 'Ann'), face(2, 'Bob'), face(3, 'Face 3'));
const named = audioWith([1, 'Ann'], [2, 'Bob']);
const byNames = { attribution: 'name_channel' as const };

const byName = (id: number, speaker: number, name: string): SuggestedMapping => ({
  face_id: faceId(id),
  speaker_id: speakerId(speaker),
  name,
  accuracy: nameMatchAccuracy,
  channel: 'name',
  evidence: { equal_name: name },
});

describe('a run that names alone resolve (4.3)', () => {
  it('in suggest mode stores its block at once', () => {
    const mappings = [byName(1, 1, 'Ann'), byName(2, 2, 'Bob')];
    const state = theVideo
      .given(...video)
      .when(trigger('suggest', 5, { audio: named }))
      .then(
        queued('new', 'suggest', 5),
        stored(block('new', 5, { mappings, unmatched_faces: [faceId(3)] }), 5, { run: 'new', ...byNames }),
      );
    expect(state).to.deep.include({
      match: { status: 'completed', queued_at: at(5), mode: 'suggest', run_id: runId('new') },
      open_runs: [],
    });
  });

  it('in commit mode changes the faces at once, and leaves the stored status at queue', () => {
    const to = (name: string, speaker: number) => ({
      name,
      speaker_id: speakerId(speaker),
      accuracy: nameMatchAccuracy,
    });
    const state = theVideo
      .given(...video)
      .when(trigger('commit', 5, { audio: named }))
      .then(
        queued('new', 'commit', 5),
        committed('new', 5, {
          ...byNames,
          matches: [recordedMatch(1, 1, nameMatchAccuracy), recordedMatch(2, 2, nameMatchAccuracy)],
          changes: [change(1, { name: 'Ann' }, to('Ann', 1)), change(2, { name: 'Bob' }, to('Bob', 2))],
        }),
      );
    expect(state).to.deep.include({
      match: { status: 'queue', queued_at: null, mode: null, run_id: runId('new') },
      open_runs: [],
    });
  });

  it('is limited to its targets', () =>
    theVideo.given(...video).cases([
      trigger('suggest', 5, { audio: audioWith([1, 'Ann'], [2, null]), targets: [1] }),
      [
        queued('new', 'suggest', 5, { targets: [1] }),
        stored(block('new', 5, { mappings: [byName(1, 1, 'Ann')], unmatched_faces: [faceId(2), faceId(3)] }), 5, {
          run: 'new',
          ...byNames,
        }),
      ],
    ]));

  it('excludes synthetic tracks unless they are targets', () => {
    const audio: AudioFacts = {
      status: 'completed',
      speakers: [
        ...audioWith([1, 'Ann']).speakers,
        { speaker_id: speakerId(9), name: 'Music', named_by: 'analysis', synthetic: true },
      ],
      renamed_at: null,
      renumbered_at: -1,
    };
    const [, answer] = theVideo
      .given(...video)
      .when(trigger('suggest', 5, { audio }))
      .thenEvents();
    expect(answer?.type).to.equal('SuggestionsStored');
    theVideo
      .given(...video)
      .cases([trigger('suggest', 5, { audio, targets: [1, 9] }), [queued('new', 'suggest', 5, { targets: [1, 9] })]]);
  });

  (
    [
      ['one speaker has no name', audioWith([1, 'Ann'], [2, null])],
      ['one name is a label', audioWith([1, 'Ann'], [2, 'Face 3'])],
      ["one name is nobody's on the screen", audioWith([1, 'Ann'], [2, 'Zoe'])],
      ['two speakers have one name', audioWith([1, 'Ann'], [2, 'Ann'])],
      ['there are no speakers', audioWith()],
    ] as const
  ).forEach(([when, audio]) =>
    it(`waits for a worker when ${when}`, () =>
      theVideo.given(...video).cases([trigger('commit', 5, { audio }), [queued('new', 'commit', 5)]])),
  );
});
