import { expect } from 'chai';
import type { AssociateAudio, VideoCommand } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import type { FaceAttributes, RecordedFace } from '../../../domain/video/changes.js';
import { accountId, audioId, videoId, at, faceId, personName, speakerId } from '../../support/values.js';
import {
  registerVideo as register,
  registered,
  theVideo,
  analyse,
  analysed,
  completed,
  face,
  renamedFaces,
  seen,
  change,
  queued,
  attributes,
  registerVideo,
  erasedVideo,
  renameOfFace,
} from '../../support/video-events.js';
import { registeredIn } from '../../support/specification.js';
import { decided, matched, ruling } from '../../support/link-decisions.js';

const facts = {
  audio_id: audioId('b'),
  owner_id: accountId('owner'),
  title: 'Talk',
  kind: 'meeting',
  deal_persons: [{ person_id: 'p', name: 'Ann' }],
} as const;
const associate: AssociateAudio = { type: 'AssociateAudio', ...facts };
const associated: VideoEvent = { type: 'AudioAssociated', data: facts };

describe('the registration of a video', () => {
  it('registers it once', () => {
    theVideo.given().cases([register, [registered()]]);
    theVideo.given(registered()).cases([register, { _tag: 'VideoExists', video_id: videoId('v') }]);
  });
});

describe('the audio of a video', () => {
  const dissociate: VideoCommand = { type: 'DissociateAudio', audio_id: audioId('b') };
  it('is associated with a video that has none', () => {
    theVideo.given(registered({ audio: null })).cases([associate, [associated]]);
    const refusal = { _tag: 'AudioAlreadyAssociated', audio_id: audioId('a') } as const;
    theVideo.given(registered()).cases([associate, refusal]);
    theVideo.given().cases([associate, { _tag: 'UnknownVideo' }]);
  });
  it('is dissociated if it could not be registered, and no other', () => {
    const dissociated: VideoEvent = { type: 'AudioDissociated', data: { audio_id: audioId('b') } };
    theVideo.given(registered({ audio: null }), associated).cases([dissociate, [dissociated]]);
    theVideo.given(registered()).cases([dissociate, []]);
  });
});

/** The event of the second analysis: the faces that are gone, and what it says besides. */
const recorded = (
  faces: ReadonlyArray<RecordedFace>,
  status: ProcessingStatus = 'completed',
  ...discontinued: ReadonlyArray<number>
): VideoEvent => analysed(faces, status, { analysis_id: 'second', at: at(9), discontinued: discontinued.map(faceId) });

/** A face that continues another one, and what the analysis changes on it. */
const again = (id: number, changed: Partial<FaceAttributes> = {}): RecordedFace => ({
  face_id: faceId(id),
  ...changed,
});

const rippled: VideoCommand = {
  type: 'FollowSpeakerNames',
  audio_id: audioId('a'),
  audio_revision: 3,
  speakers: [{ speaker_id: speakerId(1), name: 'Ann', named_by: 'person', claimed: false }],
  current: false,
  at: at(5),
};

describe('the analysis of a video', () => {
  const ann = theVideo.given(...completed(face(1, 'Ann')));

  it('is refused for a video that does not exist, and with a face twice', () => {
    theVideo.given().cases([analyse([]), { _tag: 'UnknownVideo' }]);
    theVideo
      .given(registered())
      .cases([analyse([seen(1, null), seen(1, 'Ann')]), { _tag: 'DuplicateFace', face_id: faceId(1) }]);
  });

  it('gives faces without a name a generated label', () =>
    theVideo
      .given(registered())
      .cases([
        analyse([seen(1, null), seen(2, '  '), seen(3, 'Ann', { calm: 1 })]),
        [recorded([face(1, 'Face 1'), face(2, 'Face 2'), face(3, 'Ann', { personality_traits: { calm: 1 } })])],
      ]));
  it('says where the tracks are', () => {
    const tracks = { first_revision: 3, parts: 2 };
    const event = analysed([], 'completed', { analysis_id: 'second', at: at(9), tracks });
    theVideo.given(registered()).cases([analyse([], { tracks }), [event]]);
  });

  ann.tests({
    'changes nothing when it is sent again': [analyse([seen(1, 'Bob')], { analysis_id: 'first' }), []],
    'replaces the faces once it is completed': [
      analyse([seen(2, 'Bob')]),
      [recorded([face(2, 'Bob')], 'completed', 1)],
    ],
    'keeps the last name if it has none': [analyse([seen(1, ' ')]), [recorded([again(1)])]],
  });
  it('removes no face before', () => {
    for (const status of ['queue', 'processing', 'failed'] as const)
      ann.cases([analyse([seen(2, 'Bob')], { status }), [recorded([again(1), face(2, 'Bob')], status)]]);
  });

  it('keeps the match of a face found again, and its personality data unless it says otherwise', () => {
    const known = { name: 'Ann', speaker_id: speakerId(1), accuracy: 0.8, personality_traits: { calm: 1 } };
    const given = theVideo.given(...completed(face(1, 'Ann', known)));
    given.cases(
      [analyse([seen(1, 'Ann')]), [recorded([again(1)])]],
      [analyse([seen(1, 'Ann', null)]), [recorded([again(1, { personality_traits: null })])]],
    );
    expect(registeredIn(given.after(analyse([seen(1, 'Ann')]))).faces.get(faceId(1))).to.deep.include(known);
  });

  it('keeps a name that a person gave, except a generated label that a revert restored', () => {
    const named = (name: string, previous: string) =>
      theVideo.given(...completed(face(1, previous)), renamedFaces(5, [[1, name, previous]]));
    named('Ann', 'Face 1').cases([analyse([seen(1, 'Bob')]), [recorded([again(1)])]]);
    named('Face 1', 'Ann').cases([analyse([seen(1, 'Bob')]), [recorded([again(1, { name: 'Bob' })])]]);
  });

  it('is later than a repeated rename of a speaker', () => {
    const linked = { speaker_id: speakerId(1) };
    theVideo.given(...completed(face(1, 'Ann', linked)), recorded([face(1, 'Bob', linked)])).cases([rippled, []]);
  });
});

describe('personality data, re-analysed after a mapping cleared them', () => {
  const traits = (id: number) => ({ face_id: faceId(id), personality_traits: { calm: 1 } });
  theVideo.given(...completed(face(1, 'Ann'))).tests({
    'are refused for an unknown face': [
      { type: 'RecordPersonalityTraits', ...traits(2) },
      { _tag: 'InvalidFace', face_id: faceId(2) },
    ],
    'are recorded once': [
      { type: 'RecordPersonalityTraits', ...traits(1) },
      [{ type: 'PersonalityTraitsRecorded', data: traits(1) }],
    ],
  });
});

describe('a face renamed by hand', () => {
  const rename = (...faces: ReadonlyArray<readonly [number, string]>): VideoCommand => ({
    type: 'RenameFaces',
    faces: faces.map(([id, name]) => ({ face_id: faceId(id), name: personName(name) })),
    at: at(5),
  });
  theVideo.given(...completed(face(1, 'Ann'), face(2, 'Bob')), renamedFaces(4, [[2, 'Max', 'Bob']])).tests({
    'gets the name, and records the previous one': [
      rename([1, 'Eve'], [2, 'Max']),
      [renamedFaces(5, [[1, 'Eve', 'Ann']])],
    ],
    'is refused when it is named twice': [
      rename([1, 'Eve'], [1, 'Zoe']),
      { _tag: 'DuplicateFace', face_id: faceId(1) },
    ],
  });
  it('is refused when unknown, also before the analysis is completed', () =>
    theVideo
      .given(registered(), analysed([face(1, 'Ann')], 'processing'))
      .cases([rename([2, 'Eve']), { _tag: 'InvalidFace', face_id: faceId(2) }]));
  it('whose name a person confirms has it from that person', () =>
    theVideo
      .given(...completed(face(1, 'Person B')))
      .cases([rename([1, 'Person B']), [renamedFaces(5, [[1, 'Person B', 'Person B']])]]));
});

describe('the details of a video', () => {
  const changing = (title?: string | null, media_url?: string | null): VideoCommand => ({
    type: 'ChangeVideoDetails',
    title,
    media_url,
    at: at(5),
  });
  type Edit = { readonly before: string | null; readonly after: string | null } | null;
  const detailsChanged = (title: Edit, media_url: Edit = null): VideoEvent => ({
    type: 'VideoDetailsChanged',
    data: { title, media_url, at: at(5) },
  });
  const [talk, media] = [
    { before: null, after: 'Talk' },
    { before: null, after: 'http://m' },
  ];

  it('are changed one by one, and only as requested', () => {
    theVideo
      .given(registered())
      .cases(
        [changing('Talk'), [detailsChanged(talk)]],
        [changing(undefined, 'http://m'), [detailsChanged(null, media)]],
        [changing('Talk', 'http://m'), [detailsChanged(talk, media)]],
      );
    theVideo
      .given(registered(), detailsChanged(talk))
      .cases(
        [changing(), []],
        [changing('Talk', null), []],
        [changing(null), [detailsChanged({ before: 'Talk', after: null })]],
      );
  });
});

describe('the erasure of a video', () => {
  const erase: VideoCommand = { type: 'EraseVideo', at: at(9) };

  it('records the owner, and the linked audio or that there is none', () => {
    theVideo.given(registered()).cases([erase, [erasedVideo]]);
    const unlinked = { ...erasedVideo, data: { ...erasedVideo.data, linked: null } };
    theVideo.given(registered({ audio: null })).cases([erase, [unlinked]]);
  });
  it('is final: every command is refused', () => {
    const register: VideoCommand = { ...registerVideo, audio_id: null };
    for (const command of [erase, renameOfFace, register])
      theVideo.given(registered(), erasedVideo).cases([command, { _tag: 'MediumErased', erased_at: at(9) }]);
  });
});

describe('a video whose audio is erased', () => {
  const forget = (audio: string): VideoCommand => ({ type: 'ForgetAudio', audio_id: audioId(audio), at: at(20) });
  const linked = change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1), personality_traits: { calm: 1 } });
  const given = [
    ...completed(face(1, 'Face 1'), face(2, null), face(3, 'Face 3')),
    renamedFaces(8, [[3, 'Max', 'Face 3']]),
    decided([linked], [ruling(2, 3)]),
    queued('r', 'commit', 10),
  ];

  it('keeps the facts about its faces that did not come from the audio', () => {
    const own = { speaker_id: null, accuracy: null };
    theVideo.given(...given).cases([
      forget('a'),
      [
        {
          type: 'AudioErased',
          data: {
            audio_id: audioId('a'),
            status: 'completed',
            analysis_id: 'first',
            tracks: null,
            faces: [
              { face_id: faceId(1), name: 'Face 1', named_by: 'analysis', ...own, personality_traits: { calm: 1 } },
              { face_id: faceId(2), name: null, named_by: 'analysis', ...own, personality_traits: null },
              { face_id: faceId(3), name: 'Max', named_by: 'person', ...own, personality_traits: null },
            ],
            at: at(20),
          },
        },
      ],
    ]);
  });

  it('has no audio, match, run or decision any more', () => {
    const state = theVideo.given(...given).after(forget('a'));
    expect(state).to.deep.include({
      audio_id: null,
      status: 'completed',
      analysis_id: 'first',
      match: { status: null, queued_at: null, mode: null, run_id: null },
      open_runs: [],
      ruled_out: new Map(),
    });
    expect(registeredIn(state).faces.get(faceId(3))).to.deep.equal({
      ...attributes({ name: 'Max' }),
      face_id: faceId(3),
      named_by: 'person',
      named_at: null,
      name_origin: 'own',
      own: [{ name: 'Max', named_by: 'person' }],
    });
  });

  it('forgets it once, and no other audio', () => {
    theVideo.given(...given).cases([forget('b'), []]);
    theVideo.given(registered({ audio: null })).cases([forget('a'), []]);
  });
});
