import { expect } from 'chai';
import type { FollowSpeakerNames, WithdrawSpeaker } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceChange } from '../../../domain/video/changes.js';
import { on } from '../../support/reverts.js';
import { at, audioId, speakerId } from '../../support/values.js';
import { change, completed, face, facesMatched, renamedFaces, theVideo } from '../../support/video-events.js';

const rename = (audio: string, ...speakers: ReadonlyArray<readonly [number, string]>): FollowSpeakerNames => ({
  type: 'FollowSpeakerNames',
  audio_id: audioId(audio),
  audio_revision: 7,
  speakers: speakers.map(([id, name]) => ({
    speaker_id: speakerId(id),
    name,
    named_by: 'person' as const,
    claimed: false,
  })),
  current: false,
  at: at(10),
});
const renamed = (seconds: number, ...faces: Parameters<typeof renamedFaces>[1]): VideoEvent =>
  renamedFaces(seconds, faces, { kind: 'speaker_renamed', audio_id: audioId('a'), audio_revision: 7 });

const video = completed(face(1, 'Ann', on(1, 'Ann')), face(2, 'Zoe', on(2, 'Zoe')), face(3, 'Max'));
const toEve = rename('a', [1, 'Eve']);

describe('a renamed speaker (contract, Speaker-face match)', () => {
  theVideo.given(...video).tests({
    'renames its matched face, even over a real name, and records the overwritten one': [
      rename('a', [1, 'Eve'], [9, 'Max']),
      [renamed(10, [1, 'Eve', 'Ann'])],
    ],
    'renames no face that has another speaker': [rename('a', [3, 'Eve']), []],
    'of another audio renames no face': [rename('other', [1, 'Eve']), []],
  });
  it('renames a face that was changed before, and leaves one changed later or at the same time', () => {
    const byHand = (seconds: number) =>
      theVideo.given(
        ...video,
        facesMatched(seconds, [change(1, on(1, 'Ann'), on(1, 'Bea'), ['analysis', 'analysis'])]),
      );
    byHand(9).cases([toEve, [renamed(10, [1, 'Eve', 'Bea'])]]);
    for (const seconds of [10, 11]) byHand(seconds).cases([toEve, []], [{ ...toEve, current: true }, []]);
  });
  it('renames a face that adopted its name later, if the name is current', () => {
    const adopted = facesMatched(11, [change(1, on(null, 'Face 1'), on(1, 'Ann'))]);
    const given = theVideo.given(...completed(face(1, 'Face 1')), adopted);
    given.cases([toEve, []]);
    const [event] = given.events({ ...toEve, current: true });
    expect(event?.type === 'FacesRenamed' && event.data.faces.map(({ name }) => name)).to.deep.equal(['Eve']);
  });
  it('whose name a person confirms: only faces with this name are marked', () => {
    const claim = (named_by: 'person' | 'analysis'): FollowSpeakerNames => ({
      ...toEve,
      speakers: [1, 2].map((id) => ({ speaker_id: speakerId(id), name: 'Ann', named_by, claimed: true })),
    });
    const marked = renamed(10, [1, 'Ann', 'Ann']);
    theVideo.given(...video).cases([claim('person'), [marked]], [claim('analysis'), []]);
    theVideo.given(...video, marked).cases([claim('person'), []]);
  });
});

describe('a withdrawn speaker', () => {
  const withdraw = (speaker: number, merged_into: WithdrawSpeaker['merged_into'] = null): WithdrawSpeaker => ({
    type: 'WithdrawSpeaker',
    audio_revision: 1,
    speaker_id: speakerId(speaker),
    name: 'Ann',
    merged_into,
    at: at(20),
  });
  const into = (id: number, name: string | null = null, named_by: 'person' | 'analysis' = 'analysis') => ({
    speaker_id: speakerId(id),
    name,
    named_by,
  });
  const withdrawn = (merged_into: number | null, ...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
    type: 'SpeakerWithdrawn',
    data: {
      speaker_id: speakerId(1),
      merged_into: merged_into === null ? null : speakerId(merged_into),
      changes,
      at: at(20),
    },
  });
  const known = { accuracy: 0.9, personality_traits: { calm: 1 } };
  const lost = change(1, on(1, 'Ann', known), on(null, 'Ann'));
  const handedOn = (was: string, name: string, whose?: Parameters<typeof change>[3]) =>
    change(1, on(1, was, known), on(5, name, known), whose);
  const named = (name: string) =>
    theVideo.given(...completed(face(1, name, on(1, name, known)), face(2, 'Zoe', on(2, 'Zoe'))));

  named('Ann').tests({
    'that was deleted: its face loses it and keeps its name': [withdraw(1), [withdrawn(null, lost)]],
    'that was merged: its face goes to the other one': [withdraw(1, into(5)), [withdrawn(5, handedOn('Ann', 'Ann'))]],
    'that was merged into one with a face: its own face stays without a speaker': [
      withdraw(1, into(2)),
      [withdrawn(2, lost)],
    ],
    'without a face: no event': [withdraw(7, into(2)), []],
    'gives its face the name of the other one if the face had its name': [
      withdraw(1, into(5, 'Bea', 'person')),
      [withdrawn(5, handedOn('Ann', 'Bea'))],
    ],
    'gives its face no placeholder': [withdraw(1, into(5, 'SPEAKER_02')), [withdrawn(5, handedOn('Ann', 'Ann'))]],
  });
  it('gives its face a real name instead of a placeholder, but not instead of a name of its own', () => {
    const bea = withdraw(1, into(5, 'Bea'));
    named('Face 1').cases([bea, [withdrawn(5, handedOn('Face 1', 'Bea', ['analysis', 'speaker']))]]);
    named('Zoe').cases([bea, [withdrawn(5, handedOn('Zoe', 'Zoe'))]]);
  });
});
