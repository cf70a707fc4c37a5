import { expect } from 'chai';
import type { VideoCommand } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceChange } from '../../../domain/video/face.js';
import type { RuledOutEdit } from '../../../domain/video/ruled-out.js';
import { at, audioId, faceId, runId, speakerId } from '../../support/values.js';
import {
  audioWith,
  change,
  committed,
  completed,
  face,
  proposed,
  queued,
  theVideo,
} from '../../support/video-events.js';

const audio = audioWith([1, 'Ann'], [2, null], [3, null]);
const ruling = (speaker: number, id: number | null, after = true): RuledOutEdit => ({
  speaker_id: speakerId(speaker),
  face_id: id === null ? null : faceId(id),
  before: !after,
  after,
});
const decided = (changes: ReadonlyArray<FaceChange>, ruled_out: ReadonlyArray<RuledOutEdit> = []): VideoEvent => ({
  type: 'LinksDecided',
  data: { audio_id: audioId('a'), changes, ruled_out, at: at(9) },
});
const matched = (speaker: number, accuracy: number | null = 0.9) => ({
  speaker_id: speakerId(speaker),
  accuracy,
  personality_traits: null,
});
const video = completed(face(1, 'Face 1'), face(2, 'Zoe', matched(2)), face(3, 'Max'));

describe("people's decisions and runs", () => {
  const links = [
    ...video,
    decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1, null) })], [ruling(3, 3)]),
  ];
  const answer = (run_id: 'r' | null, ...matches: ReadonlyArray<ReturnType<typeof proposed>>): VideoCommand => ({
    type: 'ReceiveWriteBack',
    run_id: run_id === null ? null : runId('r'),
    unattributed_run_id: runId('u'),
    answer: { status: 'completed', matches, unmatched_speakers: [] },
    audio,
    stale_seconds: 900,
    at: at(20),
  });
  it("leave what contradicts them out of a run's own answer, and keep what a person made", () => {
    const [event] = theVideo
      .given(...links, queued('r', 'commit', 1))
      .when(answer('r', proposed(1, 2), proposed(3, 3)))
      .thenEvents();
    if (event?.type !== 'MatchesCommitted') throw new Error('nothing was committed');
    expect(event.data.changes).to.deep.equal([]);
    expect(event.data.skipped).to.deep.equal([
      { face_id: 1, speaker_id: 2, reason: 'face_confirmed' },
      { face_id: 3, speaker_id: 3, reason: 'pair_rejected' },
    ]);
    theVideo
      .given(...links, queued('r', 'commit', 1))
      .when(answer('r', proposed(1, 1)))
      .then(
        committed('r', 20, {
          matches: [{ ...proposed(1, 1) }].map(({ face_id, speaker_id, accuracy }) => ({
            face_id,
            speaker_id,
            accuracy,
          })),
        }),
      );
  });
  it('count for nothing against an answer without a run id', () => {
    const [event] = theVideo
      .given(...links)
      .when(answer(null, proposed(1, 2), proposed(3, 3)))
      .thenEvents();
    if (event?.type !== 'MatchesCommitted') throw new Error('nothing was committed');
    expect(event.data.changes.map(({ face_id, after }) => [face_id, after.speaker_id])).to.deep.equal([
      [2, null],
      [1, 2],
      [3, 3],
    ]);
    expect(event.data).not.to.have.property('skipped');
  });
  it('stand in every block, without accuracy', () => {
    const [event] = theVideo
      .given(...links, queued('r', 'suggest', 1))
      .when(answer('r', proposed(1, 1), proposed(3, 2)))
      .thenEvents();
    if (event?.type !== 'SuggestionsStored') throw new Error('nothing was stored');
    expect(
      event.data.block.mappings.map(({ face_id, speaker_id, accuracy }) => [face_id, speaker_id, accuracy]),
    ).to.deep.equal([
      [1, 1, null],
      [3, 2, 0.9],
    ]);
    const [bare] = theVideo
      .given(...links, queued('r', 'suggest', 1))
      .when(answer('r'))
      .thenEvents();
    if (bare?.type !== 'SuggestionsStored') throw new Error('nothing was stored');
    expect(bare.data.block.mappings).to.deep.equal([
      {
        face_id: 1,
        speaker_id: 1,
        name: 'Ann',
        accuracy: null,
        channel: 'co_occurrence',
        evidence: { decision: 'confirmed' },
      },
    ]);
    expect(bare.data.block.unmatched_faces).to.deep.equal([2, 3]);
  });
});
