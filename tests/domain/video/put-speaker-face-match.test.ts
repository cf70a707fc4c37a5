import type { Mapping, MatchFaces, AudioFacts } from '../../../domain/video/contract.js';
import type { FaceAttributes, FaceChange } from '../../../domain/video/changes.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { at, audioId, faceId, speakerId } from '../../support/values.js';
import { analysed, audioWith, change, completed, face, registered, theVideo } from '../../support/video-events.js';

const map = (face: number, speaker: number, name?: string | null): Mapping => ({
  face_id: faceId(face),
  speaker_id: speakerId(speaker),
  ...(name === undefined ? {} : { name }),
});

const matchFaces = (audio: AudioFacts | null, ...mappings: ReadonlyArray<Mapping>): MatchFaces => ({
  type: 'MatchFaces',
  mappings,
  audio,
  at: at(10),
});

const facesMatched = (
  changes: ReadonlyArray<FaceChange>,
  speakers: ReadonlyArray<readonly [id: number, name: string, previous: string | null]> = [],
): VideoEvent => ({
  type: 'FacesMatched',
  data: {
    audio_id: audioId('a'),
    changes,
    speakers: speakers.map(([id, name, previous_name]) => ({
      speaker_id: speakerId(id),
      name,
      previous_name,
      previous_named_by: 'analysis' as const,
    })),
    at: at(10),
  },
});

const claimed = ['analysis', 'person'] as const;
const adopted = ['analysis', 'speaker'] as const;
const nameByPerson = (id: number, name: string, previous_name: string): VideoEvent => ({
  type: 'FacesRenamed',
  data: {
    faces: [{ face_id: faceId(id), name, previous_name, named_by: { before: 'analysis', after: 'person' } }],
    cause: { kind: 'request' },
    at: at(5),
  },
});
const traits = { personality_traits: { openness: 0.5 } };
const to = (speaker: number, name: string | null, parts: Partial<FaceAttributes> = {}): Partial<FaceAttributes> => ({
  name,
  speaker_id: speakerId(speaker),
  ...parts,
});

describe('PUT speaker-face-match (4.1)', () => {
  describe('prerequisites', () => {
    const two = completed(face(1, 'Face 1'), face(2, 'Face 2'));
    const speakers = audioWith([1, 'Ann'], [2, 'Bob']);

    it('refuses no mappings at all', () =>
      theVideo
        .given(...two)
        .when(matchFaces(speakers))
        .thenRefused({ _tag: 'EmptyMappings' }));
    it('refuses a face that is named twice (rule 1)', () =>
      theVideo
        .given(...two)
        .when(matchFaces(speakers, map(1, 1), map(1, 2)))
        .thenRefused({ _tag: 'DuplicateFace', face_id: faceId(1) }));
    it('refuses a speaker that is named twice (rule 1)', () =>
      theVideo
        .given(...two)
        .when(matchFaces(speakers, map(1, 2), map(2, 2)))
        .thenRefused({ _tag: 'DuplicateSpeaker', speaker_id: speakerId(2) }));
    it('refuses a face that the video does not have', () =>
      theVideo
        .given(...two)
        .when(matchFaces(speakers, map(1, 1), map(9, 2)))
        .thenRefused({ _tag: 'InvalidFace', face_id: faceId(9) }));
    it('refuses a speaker that the audio does not have', () =>
      theVideo
        .given(...two)
        .when(matchFaces(speakers, map(1, 1), map(2, 9)))
        .thenRefused({ _tag: 'InvalidSpeaker', speaker_id: speakerId(9) }));
    it('refuses a video without an audio', () =>
      theVideo
        .given(registered({ audio: null }), analysed([face(1, null)]))
        .when(matchFaces(null, map(1, 1)))
        .thenRefused({ _tag: 'AudioMissing' }));
    it('refuses a video whose audio does not exist', () =>
      theVideo
        .given(...two)
        .when(matchFaces(null, map(1, 1)))
        .thenRefused({ _tag: 'AudioMissing' }));
    it('refuses a video that does not exist', () =>
      theVideo
        .given()
        .when(matchFaces(speakers, map(1, 1)))
        .thenRefused({ _tag: 'UnknownVideo' }));
    (['queue', 'processing', 'failed'] as const).forEach((status) =>
      it(`refuses a video whose processing is at ${status}`, () =>
        theVideo
          .given(registered(), analysed([face(1, 'Face 1')], status))
          .when(matchFaces(speakers, map(1, 1)))
          .thenRefused({ _tag: 'VideoUnprocessed', status })),
    );
    it('does not need a completed audio', () =>
      theVideo
        .given(...two)
        .when(matchFaces({ ...speakers, status: 'processing' }, map(1, 1)))
        .then(facesMatched([change(1, { name: 'Face 1' }, to(1, 'Ann'), adopted)])));
    it('reports errors of the request before errors of the state', () =>
      theVideo
        .given(registered({ audio: null }))
        .when(matchFaces(null, map(1, 1), map(1, 2)))
        .thenRefused({ _tag: 'DuplicateFace', face_id: faceId(1) }));
  });

  describe("without a name, the face adopts the speaker's where it has none of its own (rule 2)", () => {
    const adopts = (own: string | null, speaker: string | null, result: string | null): void =>
      [undefined, null, '', ' \t\n '].forEach((name) =>
        it(`face ${JSON.stringify(own)}, speaker ${JSON.stringify(speaker)}, request ${JSON.stringify(name)}`, () => {
          theVideo
            .given(...completed(face(1, own)))
            .when(matchFaces(audioWith([1, speaker]), map(1, 1, name)))
            .then(facesMatched([change(1, { name: own }, to(1, result), own === result ? undefined : adopted)]));
        }),
      );
    adopts(null, 'Ann', 'Ann');
    adopts('', 'Ann', 'Ann');
    adopts('  ', 'Ann', 'Ann');
    adopts('Face 1', 'Ann', 'Ann');
    adopts('face_12', 'Ann', 'Ann');
    adopts('Anna Face', 'Ann', 'Anna Face');
    adopts('Zoe', 'Ann', 'Zoe');
    adopts('Zoe', 'SPEAKER_01', 'Zoe');
    adopts('Face 1', null, 'Face 1');
    adopts('Face 1', '  ', 'Face 1');
    adopts(null, null, null);
  });

  describe('a name is given to both (rule 3)', () => {
    it('over real names', () =>
      theVideo
        .given(...completed(face(1, 'Zoe')))
        .when(matchFaces(audioWith([1, 'Bob']), map(1, 1, 'Ann')))
        .then(facesMatched([change(1, { name: 'Zoe' }, to(1, 'Ann'))], [[1, 'Ann', 'Bob']])));
    it('over no names', () =>
      theVideo
        .given(...completed(face(1, null)))
        .when(matchFaces(audioWith([1, null]), map(1, 1, 'Ann')))
        .then(facesMatched([change(1, {}, to(1, 'Ann'))], [[1, 'Ann', null]])));
    it('as written, including white space', () =>
      theVideo
        .given(...completed(face(1, null)))
        .when(matchFaces(audioWith([1, 'Ann']), map(1, 1, ' Ann ')))
        .then(facesMatched([change(1, {}, to(1, ' Ann '))], [[1, ' Ann ', 'Ann']])));
    it('renames only the speaker when face and match are already right', () =>
      theVideo
        .given(...completed(face(1, 'Ann', { speaker_id: speakerId(1), ...traits })))
        .when(matchFaces(audioWith([1, 'Bob']), map(1, 1, 'Ann')))
        .then(facesMatched([change(1, to(1, 'Ann', traits), to(1, 'Ann', traits), claimed)], [[1, 'Ann', 'Bob']])));
  });

  describe('clears personality data where a mapping is created or changed, and only there (rule 4)', () => {
    it('of a new mapping', () =>
      theVideo
        .given(...completed(face(1, 'Zoe', traits), face(2, 'Max', traits)))
        .when(matchFaces(audioWith([1, 'Ann']), map(1, 1)))
        .then(facesMatched([change(1, { name: 'Zoe', ...traits }, to(1, 'Zoe'))])));
    it('not of an unchanged mapping beside a changed one', () =>
      theVideo
        .given(...completed(face(1, 'Zoe', { speaker_id: speakerId(1), ...traits }), face(2, 'Max', traits)))
        .when(matchFaces(audioWith([1, 'Ann'], [2, 'Bob']), map(1, 1), map(2, 2)))
        .then(facesMatched([change(2, { name: 'Max', ...traits }, to(2, 'Max'))])));
    it('of a mapping that gets another name', () =>
      theVideo
        .given(...completed(face(1, 'Zoe', { speaker_id: speakerId(1), ...traits })))
        .when(matchFaces(audioWith([1, 'Zoe']), map(1, 1, 'Ann')))
        .then(facesMatched([change(1, to(1, 'Zoe', traits), to(1, 'Ann'))], [[1, 'Ann', 'Zoe']])));
    it('of a mapping that a person confirms: its accuracy is removed', () =>
      theVideo
        .given(...completed(face(1, 'Zoe', { speaker_id: speakerId(1), accuracy: 0.7, ...traits })))
        .when(matchFaces(audioWith([1, 'Ann']), map(1, 1)))
        .then(facesMatched([change(1, to(1, 'Zoe', { accuracy: 0.7, ...traits }), to(1, 'Zoe'))])));
  });

  it('marks a name that both already have as given by a person, and clears nothing', () =>
    theVideo
      .given(...completed(face(1, 'Ann', { speaker_id: speakerId(1), ...traits })))
      .when(matchFaces(audioWith([1, 'Ann']), map(1, 1, 'Ann')))
      .then(facesMatched([change(1, to(1, 'Ann', traits), to(1, 'Ann', traits), claimed)], [[1, 'Ann', 'Ann']])));

  it('keeps a name that a person gave, whatever it is', () =>
    ['Person B', 'Unknown', 'Speaker A', 'SPEAKER_01', 'unnamed face 3'].forEach((name) =>
      theVideo
        .given(...completed(face(1, 'Face 1')), nameByPerson(1, name, 'Face 1'))
        .when(matchFaces(audioWith([1, 'Ann']), map(1, 1)))
        .then(facesMatched([change(1, { name }, to(1, name))])),
    ));

  it('takes Face {id} for a placeholder, whoever gave it', () =>
    theVideo
      .given(...completed(face(1, 'Zoe')), nameByPerson(1, 'Face 7', 'Zoe'))
      .when(matchFaces(audioWith([1, 'Ann']), map(1, 1)))
      .then(facesMatched([change(1, { name: 'Face 7' }, to(1, 'Ann'), ['person', 'speaker'])])));

  it("adopts the name that a person gave the speaker as a person's", () => {
    const speakers = audioWith([1, 'Person B']);
    const named = { ...speakers, speakers: speakers.speakers.map((one) => ({ ...one, named_by: 'person' as const })) };
    theVideo
      .given(...completed(face(1, 'Face 1')))
      .when(matchFaces(named, map(1, 1)))
      .then(facesMatched([change(1, { name: 'Face 1' }, to(1, 'Person B'))]));
  });

  it('changes nothing when repeated (rule 5)', () => {
    const matched = facesMatched([change(1, { name: 'Zoe' }, to(1, 'Ann'))], [[1, 'Ann', 'Bob']]);
    const speakers = audioWith([1, 'Ann']);
    const named = { ...speakers, speakers: speakers.speakers.map((one) => ({ ...one, named_by: 'person' as const })) };
    theVideo
      .given(...completed(face(1, 'Zoe')), matched)
      .when(matchFaces(named, map(1, 1, 'Ann')))
      .thenNothing();
  });
});
