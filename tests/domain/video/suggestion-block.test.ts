import { expect } from 'chai';
import type { NamedBy } from '../../../domain/kernel/names.js';
import type { AudioFacts } from '../../../domain/video/contract.js';
import { buildBlock, targetedSpeakers } from '../../../domain/video/build-block.js';
import { nothingRuledOut, withRuledOut } from '../../../domain/video/changes.js';
import type { Face } from '../../../domain/video/state.js';
import { registeredIn } from '../../support/specification.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import { audioWith, registered, theVideo, faceOf, facesOf } from '../../support/video-events.js';

const [one, two, three] = [{ speaker_id: speakerId(1) }, { speaker_id: speakerId(2) }, { speaker_id: speakerId(3) }];

describe('the block of a suggest run', () => {
  const state = (...faces: readonly Face[]) => ({
    ...registeredIn(theVideo.given(registered()).state()),
    faces: facesOf(...faces),
  });
  const named = (...names: ReadonlyArray<readonly [name: string | null, named_by?: NamedBy]>): AudioFacts => ({
    ...audioWith(),
    speakers: names.map(([name, named_by = 'analysis'], n) => ({
      speaker_id: speakerId(n + 1),
      name,
      named_by,
      synthetic: name === 'synthetic',
    })),
  });
  const proposed = (face: number, speaker: number) => ({
    face_id: faceId(face),
    speaker_id: speakerId(speaker),
    accuracy: 0.8,
    channel: 'name' as const,
    evidence: {},
  });
  const block = (video: ReturnType<typeof state>, audio: AudioFacts, ...matches: ReturnType<typeof proposed>[]) =>
    buildBlock(
      video,
      audio,
      { run_id: runId('r'), target_speaker_ids: null },
      {
        status: 'completed',
        matches,
        unmatched_speakers: [{ speaker_id: speakerId(3), reason: 'off_screen' }],
      },
      at(5),
    );

  it('names pairs by the face, or by the speaker where the face has no name', () => {
    const nameOf = (face: string | null, speaker: string | null, by: NamedBy = 'analysis') =>
      block(state(faceOf(1, { name: face })), named([speaker, by]), proposed(1, 1)).mappings[0]?.name;
    expect(nameOf('Ann', null)).to.equal('Ann');
    expect(nameOf('Ann', 'Ann')).to.equal('Ann');
    expect(nameOf('Ann', 'Speaker 1')).to.equal('Ann');
    expect(nameOf('Ann', 'Speaker 1', 'person')).to.equal(null);
    expect(nameOf('Ann', 'Bob')).to.equal(null);
    expect(nameOf('Face 1', 'Bob')).to.equal('Bob');
    expect(nameOf(null, 'Speaker 1')).to.equal('Speaker 1');
    expect(nameOf(null, ' ')).to.equal(null);
    expect(nameOf(null, null)).to.equal(null);
  });

  it('has confirmed links without accuracy, and who is left on both sides', () => {
    const faces = [faceOf(1, one), faceOf(2, two), faceOf(3, { ...three, accuracy: 0.4 }), faceOf(4)];
    const ruled_out = withRuledOut(nothingRuledOut, [
      { speaker_id: speakerId(4), face_id: null, before: false, after: true },
    ]);
    const audio = named([null], [null], [null], [null], [null], ['synthetic']);
    const found = block({ ...state(...faces), ruled_out }, audio, proposed(1, 1));
    expect(
      found.mappings.map(({ face_id, speaker_id, accuracy, channel, evidence }) => [
        face_id,
        speaker_id,
        accuracy,
        channel,
        evidence,
      ]),
    ).to.deep.equal([
      [1, 1, null, 'name', {}],
      [2, 2, null, 'co_occurrence', { decision: 'confirmed' }],
    ]);
    expect(found.unmatched_speakers).to.deep.equal([
      { speaker_id: 3, reason: 'off_screen' },
      { speaker_id: 4, reason: 'decided_not_seen' },
      { speaker_id: 5, reason: 'not_matched' },
    ]);
    expect(found.unmatched_faces).to.deep.equal([3, 4]);
    expect([found.run_id, found.generated_at]).to.deep.equal(['r', at(5)]);
  });

  it('keeps matches that contradict a confirmed link, and leaves the link out', () => {
    const pairs = (...matches: ReturnType<typeof proposed>[]) =>
      block(state(faceOf(1, one), faceOf(2)), named([null], [null]), ...matches).mappings.map(
        ({ face_id, speaker_id, accuracy }) => [face_id, speaker_id, accuracy],
      );
    expect(pairs(proposed(2, 1))).to.deep.equal([[2, 1, 0.8]]);
    expect(pairs(proposed(1, 2))).to.deep.equal([[1, 2, 0.8]]);
    expect(pairs(proposed(2, 2))).to.deep.equal([
      [2, 2, 0.8],
      [1, 1, null],
    ]);
    const emptied = block(state(faceOf(1, three)), named([null]));
    expect(emptied.mappings).to.deep.equal([]);
  });

  it('is about the speakers that the run targets, or all but synthetic tracks', () => {
    const audio = named([null], ['synthetic'], [null]);
    expect(targetedSpeakers(audio, null)).to.deep.equal([1, 3]);
    expect(targetedSpeakers(audio, [speakerId(2)])).to.deep.equal([2]);
    expect(targetedSpeakers(audio, [])).to.deep.equal([]);
  });
});
