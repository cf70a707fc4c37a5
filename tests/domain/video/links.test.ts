import { expect } from 'chai';
import type {
  AudioFacts,
  Mapping,
  MatchFaces,
  VideoCommand,
  LinkDecision,
  VideoRefusal,
} from '../../../domain/video/contract.js';
import type { FaceAttributes, FaceChange } from '../../../domain/video/changes.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { decidedLinks } from '../../../domain/video/decisions/decide-links.js';
import type { VideoState } from '../../../domain/video/state.js';
import { at, faceId, speakerId } from '../../support/values.js';
import {
  analysed,
  audioWith,
  change,
  completed,
  face,
  facesMatched,
  registered,
  renamedFaces,
  theVideo,
  analyse,
  seen,
} from '../../support/video-events.js';
import { registeredIn } from '../../support/specification.js';
import { audio, decided, matched as linkedTo, ruling, video } from '../../support/link-decisions.js';
import { undo } from '../../support/reverts.js';

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

const matched = (changes: ReadonlyArray<FaceChange>, speakers?: Parameters<typeof facesMatched>[2]) =>
  facesMatched(10, changes, speakers);
const claimed = ['analysis', 'person'] as const;
const adopted = ['analysis', 'speaker'] as const;
const nameByPerson = (id: number, name: string, previous: string) => renamedFaces(5, [[id, name, previous]]);
const traits = { personality_traits: { openness: 0.5 } };
const to = (speaker: number, name: string | null, parts: Partial<FaceAttributes> = {}): Partial<FaceAttributes> => ({
  name,
  speaker_id: speakerId(speaker),
  ...parts,
});

describe('PUT speaker-face-match (4.1)', () => {
  describe('prerequisites', () => {
    const two = theVideo.given(...completed(face(1, 'Face 1'), face(2, 'Face 2')));
    const speakers = audioWith([1, 'Ann'], [2, 'Bob']);

    it('refuses no mappings, and faces and speakers that are named twice (rule 1) or unknown', () =>
      two.cases(
        [matchFaces(speakers), { _tag: 'EmptyMappings' }],
        [matchFaces(speakers, map(1, 1), map(1, 2)), { _tag: 'DuplicateFace', face_id: faceId(1) }],
        [matchFaces(speakers, map(1, 2), map(2, 2)), { _tag: 'DuplicateSpeaker', speaker_id: speakerId(2) }],
        [matchFaces(speakers, map(1, 1), map(9, 2)), { _tag: 'InvalidFace', face_id: faceId(9) }],
        [matchFaces(speakers, map(1, 1), map(2, 9)), { _tag: 'InvalidSpeaker', speaker_id: speakerId(9) }],
      ));
    it('refuses a video that does not exist, has no audio, or whose audio does not exist', () => {
      theVideo.given().cases([matchFaces(speakers, map(1, 1)), { _tag: 'UnknownVideo' }]);
      theVideo
        .given(registered({ audio: null }), analysed([face(1, null)]))
        .cases([matchFaces(null, map(1, 1)), { _tag: 'AudioMissing' }]);
      two.cases([matchFaces(null, map(1, 1)), { _tag: 'AudioMissing' }]);
    });
    it('refuses a video that is not completed; the audio need not be', () => {
      for (const status of ['queue', 'processing', 'failed'] as const)
        theVideo
          .given(registered(), analysed([face(1, 'Face 1')], status))
          .cases([matchFaces(speakers, map(1, 1)), { _tag: 'VideoUnprocessed', status }]);
      const right = matched([change(1, { name: 'Face 1' }, to(1, 'Ann'), adopted)]);
      two.cases([matchFaces({ ...speakers, status: 'processing' }, map(1, 1)), [right]]);
    });
    it('reports errors of the request before errors of the state', () =>
      theVideo
        .given(registered({ audio: null }))
        .cases([matchFaces(null, map(1, 1), map(1, 2)), { _tag: 'DuplicateFace', face_id: faceId(1) }]));
  });

  describe("without a name, the face adopts the speaker's where it has none of its own (rule 2)", () => {
    for (const [own, speaker, result] of [
      [null, 'Ann', 'Ann'],
      ['', 'Ann', 'Ann'],
      ['  ', 'Ann', 'Ann'],
      ['Face 1', 'Ann', 'Ann'],
      ['face_12', 'Ann', 'Ann'],
      ['Anna Face', 'Ann', 'Anna Face'],
      ['Zoe', 'Ann', 'Zoe'],
      ['Zoe', 'SPEAKER_01', 'Zoe'],
      ['Face 1', null, 'Face 1'],
      ['Face 1', '  ', 'Face 1'],
      [null, null, null],
    ] as const)
      it(`face ${JSON.stringify(own)}, speaker ${JSON.stringify(speaker)}`, () => {
        const right = matched([change(1, { name: own }, to(1, result), own === result ? undefined : adopted)]);
        for (const name of [undefined, null, '', ' \t\n '])
          theVideo
            .given(...completed(face(1, own)))
            .cases([matchFaces(audioWith([1, speaker]), map(1, 1, name)), [right]]);
      });
  });

  /** One face and one speaker of these names, matched. */
  const matching = (
    own: ReturnType<typeof face>,
    speaker: string | null,
    name: string | undefined,
    ...then: Parameters<typeof matched>
  ) =>
    theVideo.given(...completed(own)).cases([matchFaces(audioWith([1, speaker]), map(1, 1, name)), [matched(...then)]]);

  describe('a name is given to both (rule 3)', () => {
    it('over real names, and over none', () => {
      matching(face(1, 'Zoe'), 'Bob', 'Ann', [change(1, { name: 'Zoe' }, to(1, 'Ann'))], [[1, 'Ann', 'Bob']]);
      matching(face(1, null), null, 'Ann', [change(1, {}, to(1, 'Ann'))], [[1, 'Ann', null]]);
    });
    it('as written, including white space', () =>
      matching(face(1, null), 'Ann', ' Ann ', [change(1, {}, to(1, ' Ann '))], [[1, ' Ann ', 'Ann']]));
    it('renames only the speaker when face and match are already right', () => {
      const kept = change(1, to(1, 'Ann', traits), to(1, 'Ann', traits), claimed);
      matching(face(1, 'Ann', to(1, 'Ann', traits)), 'Bob', 'Ann', [kept], [[1, 'Ann', 'Bob']]);
    });
    it('marks a name that both already have as given by a person, and clears nothing', () => {
      const kept = change(1, to(1, 'Ann', traits), to(1, 'Ann', traits), claimed);
      matching(face(1, 'Ann', to(1, 'Ann', traits)), 'Ann', 'Ann', [kept], [[1, 'Ann', 'Ann']]);
    });
  });

  describe('clears personality data where a mapping is created or changed, and only there (rule 4)', () => {
    it('of a new mapping, not of an unchanged one beside it', () =>
      theVideo
        .given(...completed(face(1, 'Zoe', to(1, 'Zoe', traits)), face(2, 'Max', traits)))
        .cases([
          matchFaces(audioWith([1, 'Ann'], [2, 'Bob']), map(1, 1), map(2, 2)),
          [matched([change(2, { name: 'Max', ...traits }, to(2, 'Max'))])],
        ]));
    it('of a mapping that gets another name', () => {
      const before = to(1, 'Zoe', traits);
      matching(face(1, 'Zoe', before), 'Zoe', 'Ann', [change(1, before, to(1, 'Ann'))], [[1, 'Ann', 'Zoe']]);
    });
    it('of a mapping that a person confirms: its accuracy is removed', () => {
      const before = to(1, 'Zoe', { accuracy: 0.7, ...traits });
      matching(face(1, 'Zoe', before), 'Ann', undefined, [change(1, before, to(1, 'Zoe'))]);
    });
  });

  it('keeps a name that a person gave, whatever it is', () =>
    ['Person B', 'Unknown', 'Speaker A', 'SPEAKER_01', 'unnamed face 3'].forEach((name) =>
      theVideo
        .given(...completed(face(1, 'Face 1')), nameByPerson(1, name, 'Face 1'))
        .cases([matchFaces(audioWith([1, 'Ann']), map(1, 1)), [matched([change(1, { name }, to(1, name))])]]),
    ));

  it('takes Face {id} for a placeholder, whoever gave it', () =>
    theVideo
      .given(...completed(face(1, 'Zoe')), nameByPerson(1, 'Face 7', 'Zoe'))
      .cases([
        matchFaces(audioWith([1, 'Ann']), map(1, 1)),
        [matched([change(1, { name: 'Face 7' }, to(1, 'Ann'), ['person', 'speaker'])])],
      ]));

  const byPerson = (name: string): AudioFacts => {
    const audio = audioWith([1, name]);
    return { ...audio, speakers: audio.speakers.map((one) => ({ ...one, named_by: 'person' as const })) };
  };

  it("adopts the name that a person gave the speaker as a person's", () =>
    theVideo
      .given(...completed(face(1, 'Face 1')))
      .cases([
        matchFaces(byPerson('Person B'), map(1, 1)),
        [matched([change(1, { name: 'Face 1' }, to(1, 'Person B'))])],
      ]));

  it('changes nothing when repeated (rule 5)', () =>
    theVideo
      .given(...completed(face(1, 'Zoe')), matched([change(1, { name: 'Zoe' }, to(1, 'Ann'))], [[1, 'Ann', 'Bob']]))
      .cases([matchFaces(byPerson('Ann'), map(1, 1, 'Ann')), []]));

  it('takes the speaker from the face that had it, which keeps its name', () => {
    const known = { accuracy: 0.8, ...traits };
    theVideo
      .given(...completed(face(1, 'Ann', to(1, 'Ann', known)), face(2, 'Zoe')))
      .cases([
        matchFaces(audioWith([1, 'Ann']), map(2, 1)),
        [matched([change(1, to(1, 'Ann', known), { name: 'Ann' }), change(2, { name: 'Zoe' }, to(1, 'Zoe'))])],
      ]);
  });
});

describe("DELETE of a face's match", () => {
  const linked = { speaker_id: speakerId(1), accuracy: 0.9, personality_traits: { calm: 1 } };
  const unmatch = (face_id: number): VideoCommand => ({ type: 'UnmatchFace', face_id, at: at(9) });
  const removed = change(1, { name: 'Ann', ...linked }, { name: 'Ann' });
  theVideo.given(...completed(face(1, 'Ann', linked), face(2, 'Bob'))).tests({
    'removes speaker, accuracy and personality data, and keeps the name': [
      unmatch(1),
      [{ type: 'FaceUnmatched', data: { changes: [removed], at: at(9) } }],
    ],
    'does nothing without a match': [unmatch(2), []],
    'is refused for an unknown face': [unmatch(3), { _tag: 'InvalidFace', face_id: 3 }],
  });
  theVideo.given(registered(), analysed([face(1, 'Ann', linked)], 'processing')).tests({
    'is refused before the video is completed, whatever the face': [
      unmatch(2),
      { _tag: 'VideoUnprocessed', status: 'processing' },
    ],
  });
});

const confirm = (speaker_id: number, face_id: number | null): LinkDecision => ({
  speaker_id,
  face_id,
  verdict: 'confirmed',
});
const reject = (speaker_id: number, face_id: number): LinkDecision => ({ speaker_id, face_id, verdict: 'rejected' });
const decide = (...decisions: ReadonlyArray<LinkDecision>): VideoCommand => ({
  type: 'DecideLinks',
  decisions,
  audio,
  at: at(9),
});
/** Three faces, of which the second is matched. */
const three = theVideo.given(...video);
const linksOf = (state: VideoState) => {
  const { faces, ruled_out } = registeredIn(state);
  return decidedLinks(faces, ruled_out);
};

describe("people's decisions about links", () => {
  /** Decisions about a video make one event, with these changes of faces and of what is ruled out. */
  const rule = (
    text: string,
    given: ReadonlyArray<VideoEvent>,
    decisions: ReadonlyArray<LinkDecision>,
    ...then: Parameters<typeof decided>
  ) => it(text, () => theVideo.given(...given).cases([decide(...decisions), [decided(...then)]]));

  rule(
    'confirm a face like a PUT without a name: the speaker moves, a placeholder is replaced',
    completed(face(1, 'Face 1'), face(2, 'Zoe', linkedTo(1))),
    [confirm(1, 1)],
    [
      change(2, { name: 'Zoe', ...linkedTo(1) }, { name: 'Zoe' }),
      change(1, { name: 'Face 1' }, { name: 'Ann', ...linkedTo(1, null) }, ['analysis', 'speaker']),
    ],
  );
  const zoe = { name: 'Zoe', ...linkedTo(2) };
  const unlinked = change(2, zoe, { name: 'Zoe' });
  rule('remove a match if the speaker is not visible', video, [confirm(2, null)], [unlinked], [ruling(2, null)]);
  rule('remove the match of a rejected pair', video, [reject(2, 2)], [unlinked], [ruling(2, 2)]);
  const both = completed(face(1, 'Ann', linkedTo(1)), face(2, 'Zoe', linkedTo(2)));
  const others = [ruling(3, 2), ruling(1, 2)];
  rule('leave a face to its speaker if it is rejected for others', both, [reject(3, 2), reject(1, 2)], [], others);
  const annUnlinked = change(1, { name: 'Ann', ...linkedTo(1) }, { name: 'Ann' });
  const invisible = [ruling(1, null), ruling(2, 1)];
  rule(
    'can reject the face of a speaker who is not visible',
    both,
    [confirm(1, null), reject(2, 1)],
    [annUnlinked],
    invisible,
  );
  const linked = change(3, { name: 'Max' }, { name: 'Max', ...linkedTo(3, null) });
  const rejected = [ruling(3, 1), ruling(1, 3)];
  rule(
    'can confirm one face and reject others',
    video,
    [reject(3, 1), reject(1, 3), confirm(3, 3)],
    [linked],
    rejected,
  );
  rule('can do so in any order', video, [confirm(3, 3), reject(3, 1), reject(1, 3)], [linked], rejected);
  const nobody = [ruling(1, null), ruling(3, null)];
  rule('can say that several are not visible', video, [confirm(1, null), confirm(3, null)], [], nobody);
  const moved = change(2, zoe, { name: 'Zoe', ...linkedTo(3, null) });
  rule('move a face from one speaker to another', video, [confirm(3, 2)], [moved]);
  rule('do so with a decision about the other', video, [confirm(3, 2), reject(2, 2)], [moved], [ruling(2, 2)]);
  const once = [ruling(3, 3), ruling(1, null)];
  rule('are recorded once', video, [reject(3, 3), reject(3, 3), confirm(1, null)], [], once);
  const earlier = decided([], [ruling(3, 3), ruling(3, null)]);
  const replaced = [ruling(3, 3, false), ruling(3, null, false)];
  rule('are replaced by a confirmation', [...video, earlier], [confirm(3, 3)], [linked], replaced);
  const ann = { name: 'Ann', ...linkedTo(1, null) };
  const back = change(1, ann, { name: 'Ann' });
  rule('are replaced by a rejection', completed(face(1, 'Ann', ann)), [reject(1, 1)], [back], [ruling(1, 1)]);

  it('are cleared by a PUT, in a second event', () =>
    theVideo
      .given(...video, decided([], [ruling(3, 3)]))
      .cases([
        { type: 'MatchFaces', mappings: [{ face_id: 3, speaker_id: 3 }], audio, at: at(9) },
        [facesMatched(9, [linked]), decided([], [ruling(3, 3, false)])],
      ]));
});

describe("people's decisions about links that are refused", () => {
  const refused = (refusal: VideoRefusal, ...decisions: ReadonlyArray<LinkDecision>) =>
    three.cases([decide(...decisions), refusal]);
  it('are empty', () => refused({ _tag: 'EmptyDecisions' }));
  it('contradict each other in one request', () => {
    refused({ _tag: 'DuplicateDecision', speaker_id: 1, face_id: 2 }, confirm(1, 1), confirm(1, 2));
    refused({ _tag: 'DuplicateDecision', speaker_id: 2, face_id: 1 }, confirm(1, 1), confirm(2, 1));
    refused({ _tag: 'DuplicateDecision', speaker_id: 1, face_id: null }, confirm(1, 1), confirm(1, null));
    refused({ _tag: 'DuplicateDecision', speaker_id: 1, face_id: 1 }, confirm(1, 1), reject(1, 1));
  });
  it('name an unknown face or speaker', () => {
    refused({ _tag: 'InvalidFace', face_id: 9 }, confirm(1, 9));
    refused({ _tag: 'InvalidSpeaker', speaker_id: 9 }, confirm(9, 1));
    refused({ _tag: 'InvalidSpeaker', speaker_id: 9 }, confirm(9, null));
  });
  it('exceed the maximum of a video, also through an undo', () => {
    const holding = (count: number) =>
      theVideo.given(
        ...video,
        decided(
          [],
          Array.from({ length: count }, (_, id) => ruling(1, id)),
        ),
      );
    const refusal = { _tag: 'TooManyDecisions', most: 10_000 } as const;
    const full = holding(10_000);
    full.cases(
      [decide(reject(2, 2)), refusal],
      [
        decide(confirm(2, 2)),
        [decided([change(2, { name: 'Zoe', ...linkedTo(2) }, { name: 'Zoe', ...linkedTo(2, null) })])],
      ],
      [undo(decided([], [ruling(2, 2, false)])), refusal],
    );
    expect(holding(9_999).events(decide(reject(2, 2)))).to.have.length(1);
    for (const held of [full, holding(10_001)])
      expect(held.events(decide(reject(2, 2), confirm(1, 1))), 'one for another').to.have.length(1);
  });
  it('come before the video is completed or has an audio', () => {
    const unprocessed = { _tag: 'VideoUnprocessed', status: 'processing' } as const;
    theVideo.given(registered(), analysed([face(1, null)], 'processing')).cases([decide(confirm(1, 1)), unprocessed]);
    const alone = theVideo.given(registered({ audio: null }), analysed([face(1, null)]));
    alone.cases([decide(confirm(1, 1)), { _tag: 'AudioMissing' }]);
  });
});

describe("what stands of people's decisions", () => {
  it('is a confirmed link rather than what was ruled out before, in the order of faces', () => {
    const faces = [face(9, 'Ann', linkedTo(1, null)), face(2, 'Bob', linkedTo(2)), face(4, 'Eve', linkedTo(4, null))];
    const ruled = [ruling(1, 9), ruling(1, 2), ruling(1, null), ruling(2, null), ruling(4, 4), ruling(5, 3)];
    const pair = (face_id: number, speaker_id: number) => ({ face_id, speaker_id });
    expect(linksOf(theVideo.given(...completed(...faces), decided([], ruled)).state())).to.deep.equal({
      confirmed: [pair(4, 4), pair(9, 1)],
      unseen: [2],
      rejected: [pair(2, 1), pair(3, 5)],
    });
  });
  it('is nothing where all was taken back', () => {
    const { state } = theVideo.given(...video, decided([], [ruling(3, 3)]), decided([], [ruling(3, 3, false)]));
    expect(state()).to.deep.include({ ruled_out: new Map() });
  });
  const given = theVideo.given(
    ...video,
    decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...linkedTo(1, null) })], [ruling(3, 3), ruling(2, null)]),
  );
  it('survive an analysis that keeps the ids, and end with a face or a speaker', () => {
    const after = (...faces: ReadonlyArray<number>) => linksOf(given.after(analyse(faces.map((id) => seen(id)))));
    expect(after(1, 2, 3)).to.deep.equal(linksOf(given.state()));
    expect(after(2)).to.deep.equal({ confirmed: [], unseen: [2], rejected: [] });
    const left = new Map([[speakerId(2), new Set([null])]]);
    expect(given.after(analyse([seen(2)]))).to.deep.include({ ruled_out: left });
    const withdrawn = given.after({
      type: 'WithdrawSpeaker',
      audio_revision: 1,
      speaker_id: speakerId(3),
      name: null,
      merged_into: null,
      at: at(9),
    });
    const confirmed = [{ speaker_id: 1, face_id: 1 }];
    expect(linksOf(withdrawn)).to.deep.equal({ confirmed, unseen: [2], rejected: [] });
  });
});
