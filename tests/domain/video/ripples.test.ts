import { expect } from 'chai';
import type { VideoCommand } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceAttributes, FaceChange } from '../../../domain/video/changes.js';
import { at, audioId, faceId, speakerId } from '../../support/values.js';
import { change, completed, face, theVideo } from '../../support/video-events.js';

const on = (speaker: number | null, name: string, parts: Partial<FaceAttributes> = {}): Partial<FaceAttributes> => ({
  name,
  speaker_id: speaker === null ? null : speakerId(speaker),
  ...parts,
});
const rename = (seconds: number, audio = 'a', ...speakers: ReadonlyArray<readonly [number, string]>): VideoCommand => ({
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
  at: at(seconds),
});
const renamed = (seconds: number, ...faces: ReadonlyArray<readonly [number, string, string]>): VideoEvent => ({
  type: 'FacesRenamed',
  data: {
    faces: faces.map(([id, name, previous_name]) => ({
      face_id: faceId(id),
      name,
      previous_name,
      named_by: { before: 'analysis' as const, after: 'person' as const },
    })),
    cause: { kind: 'speaker_renamed', audio_id: audioId('a'), audio_revision: 7 },
    at: at(seconds),
  },
});
const byHand = (seconds: number, ...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
  type: 'FacesMatched',
  data: { audio_id: audioId('a'), changes, speakers: [], at: at(seconds) },
});

const video = completed(face(1, 'Ann', on(1, 'Ann')), face(2, 'Zoe', on(2, 'Zoe')), face(3, 'Max'));

describe('a renamed speaker (contract, Speaker-face match)', () => {
  theVideo.given(...video).tests({
    'renames its matched face, even over a real name, and records the overwritten one': [
      rename(10, 'a', [1, 'Eve'], [9, 'Max']),
      [renamed(10, [1, 'Eve', 'Ann'])],
    ],
    'renames no face that has another speaker': [rename(10, 'a', [3, 'Eve']), []],
    'of another audio renames no face': [rename(10, 'other', [1, 'Eve']), []],
  });
  it('leaves a face that was changed later', () =>
    theVideo
      .given(...video, byHand(11, change(1, on(1, 'Ann'), on(1, 'Bea'))))
      .when(rename(10, 'a', [1, 'Eve']))
      .thenNothing());
  it('leaves a face that was changed at the same time', () =>
    theVideo
      .given(...video, byHand(10, change(1, on(1, 'Ann'), on(1, 'Bea'))))
      .when(rename(10, 'a', [1, 'Eve']))
      .thenNothing());
  it('renames a face that adopted its name later, if the name is current', () => {
    const adopted = byHand(11, change(1, on(null, 'Face 1'), on(1, 'Ann')));
    const { given } = theVideo;
    const command = rename(10, 'a', [1, 'Eve']);
    if (command.type !== 'FollowSpeakerNames') throw new Error('another command');
    const newest = { ...command, current: true };
    const faces = completed(face(1, 'Face 1'));
    given(...faces, adopted)
      .when(command)
      .thenNothing();
    const [event] = given(...faces, adopted)
      .when(newest)
      .thenEvents();
    expect(event?.type === 'FacesRenamed' && event.data.faces.map(({ name }) => name)).to.deep.equal(['Eve']);
    given(...video, byHand(11, change(1, on(1, 'Ann'), on(1, 'Bea'))))
      .when(newest)
      .thenNothing();
  });
  it('whose name a person confirms: only faces with this name are marked', () => {
    const claim = (named_by: 'person' | 'analysis'): VideoCommand => ({
      type: 'FollowSpeakerNames',
      audio_id: audioId('a'),
      audio_revision: 7,
      speakers: [1, 2].map((id) => ({ speaker_id: speakerId(id), name: 'Ann', named_by, claimed: true })),
      current: false,
      at: at(10),
    });
    theVideo.given(...video).cases([claim('person'), [renamed(10, [1, 'Ann', 'Ann'])]], [claim('analysis'), []]);
    theVideo
      .given(...video, renamed(9, [1, 'Ann', 'Ann']))
      .when(claim('person'))
      .thenNothing();
  });
  it('renames a face that was changed before', () =>
    theVideo
      .given(...video, byHand(9, change(1, on(1, 'Ann'), on(1, 'Bea'), ['analysis', 'analysis'])))
      .when(rename(10, 'a', [1, 'Eve']))
      .then(renamed(10, [1, 'Eve', 'Bea'])));
});

describe('a withdrawn speaker', () => {
  const withdraw = (speaker: number, into: number | null): VideoCommand => ({
    type: 'WithdrawSpeaker',
    audio_revision: 1,
    speaker_id: speakerId(speaker),
    name: 'Ann',
    merged_into: into === null ? null : { speaker_id: speakerId(into), name: null, named_by: 'analysis' },
    at: at(20),
  });
  const withdrawn = (speaker: number, into: number | null, ...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
    type: 'SpeakerWithdrawn',
    data: {
      speaker_id: speakerId(speaker),
      merged_into: into === null ? null : speakerId(into),
      changes,
      at: at(20),
    },
  });
  const sure = completed(face(1, 'Ann', on(1, 'Ann', { accuracy: 0.9 })), face(2, 'Zoe', on(2, 'Zoe')));

  theVideo.given(...sure).tests({
    'deleted: its face loses it and keeps its name': [
      withdraw(1, null),
      [withdrawn(1, null, change(1, on(1, 'Ann', { accuracy: 0.9 }), on(null, 'Ann')))],
    ],
    'merged: its face goes to the speaker that it was merged into': [
      withdraw(1, 5),
      [withdrawn(1, 5, change(1, on(1, 'Ann', { accuracy: 0.9 }), on(5, 'Ann', { accuracy: 0.9 })))],
    ],
    'merged into one that has a face: its own face stays without a speaker': [
      withdraw(1, 2),
      [withdrawn(1, 2, change(1, on(1, 'Ann', { accuracy: 0.9 }), on(null, 'Ann')))],
    ],
    'without a face: no event': [withdraw(7, 2), []],
  });
});
