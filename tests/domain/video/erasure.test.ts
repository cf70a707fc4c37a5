import { expect } from 'chai';
import type { VideoCommand } from '../../../domain/video/contract.js';
import { video as decider } from '../../../domain/video/decider.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { decided, matched, ruling } from '../../support/link-decisions.js';
import { accountId, at, audioId, faceId, personName, speakerId } from '../../support/values.js';
import {
  attributes,
  change,
  completed,
  face,
  queued,
  registerVideo,
  registered,
  theVideo,
} from '../../support/video-events.js';

const erased: VideoEvent = {
  type: 'MediumErased',
  data: { medium: 'video', owner_id: accountId('owner'), linked: 'a', at: at(9) },
};
const rename: VideoCommand = {
  type: 'RenameFaces',
  faces: [{ face_id: faceId(1), name: personName('Ann') }],
  at: at(10),
};

describe('the erasure of a video', () => {
  const erase: VideoCommand = { type: 'EraseVideo', at: at(9) };

  it('records the owner and the linked audio', () => theVideo.given(registered()).when(erase).then(erased));
  it('records that there is no audio', () =>
    theVideo
      .given(registered({ audio: null }))
      .when(erase)
      .then({ ...erased, data: { ...erased.data, linked: null } }));
  it('is final: every command is refused', () => {
    const register: VideoCommand = { ...registerVideo, audio_id: null };
    for (const command of [erase, rename, register])
      theVideo
        .given(registered(), erased)
        .when(command)
        .thenRefused({ _tag: 'MediumErased', erased_at: at(9) });
  });
  it('leaves no data', () => {
    const state = theVideo.given(...completed(face(1, 'Ann')), erased).state();
    expect(state).to.deep.equal({ _tag: 'Erased', owner_id: accountId('owner'), erased_at: at(9) });
  });
  it('needs an existing video', () => theVideo.given().when(erase).thenRefused({ _tag: 'UnknownVideo' }));
});

describe('a video whose audio is erased', () => {
  const forget = (audio: string): VideoCommand => ({ type: 'ForgetAudio', audio_id: audioId(audio), at: at(20) });
  const renamed: VideoEvent = {
    type: 'FacesRenamed',
    data: {
      faces: [
        {
          face_id: faceId(3),
          name: 'Max',
          previous_name: 'Face 3',
          named_by: { before: 'analysis', after: 'person' },
        },
      ],
      cause: { kind: 'request' },
      at: at(8),
    },
  };
  const linked = change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1), personality_traits: { calm: 1 } });
  const given = [
    ...completed(face(1, 'Face 1'), face(2, null), face(3, 'Face 3')),
    renamed,
    decided([linked], [ruling(2, 3)]),
    queued('r', 'commit', 10),
  ];

  it('keeps the facts about its faces that did not come from the audio', () => {
    const own = { speaker_id: null, accuracy: null };
    theVideo
      .given(...given)
      .when(forget('a'))
      .then({
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
      });
  });

  it('has no audio, match, run or decision any more', () => {
    const state = theVideo
      .given(...given)
      .when(forget('a'))
      .thenState();
    expect(state).to.deep.include({
      audio_id: null,
      status: 'completed',
      analysis_id: 'first',
      match: { status: null, queued_at: null, mode: null, run_id: null },
      open_runs: [],
      ruled_out: new Map(),
      shared_reverts: [],
    });
    if (state._tag !== 'Registered') throw new Error('the video is there');
    expect(state.faces.get(faceId(3))).to.deep.equal({
      ...attributes({ name: 'Max' }),
      face_id: faceId(3),
      named_by: 'person',
      named_at: null,
      name_origin: 'own',
      own: [{ name: 'Max', named_by: 'person' }],
    });
  });

  it('forgets it once, and no other audio', () => {
    theVideo
      .given(...given)
      .when(forget('b'))
      .thenNothing();
    theVideo
      .given(registered({ audio: null }))
      .when(forget('a'))
      .thenNothing();
  });
});

describe('subjects of a video’s events', () => {
  const about = (event: VideoEvent, ...given: ReadonlyArray<VideoEvent>) =>
    decider.about?.(theVideo.given(...given).state(), event, rename);
  const video = completed(face(1, 'Face 1'), face(2, 'Zoe'));
  const named = (previous_name: string, cause: 'request' | 'speaker_renamed'): VideoEvent => ({
    type: 'FacesRenamed',
    data: {
      faces: [{ face_id: faceId(2), name: 'Ann', previous_name, named_by: { before: 'analysis', after: 'person' } }],
      cause: cause === 'request' ? { kind: cause } : { kind: cause, audio_id: audioId('a'), audio_revision: 3 },
      at: at(5),
    },
  });
  const analysedAs = (...faces: ReadonlyArray<ReturnType<typeof face>>): VideoEvent => ({
    type: 'VideoAnalysisRecorded',
    data: {
      status: 'completed',
      analysis_id: 'second',
      faces,
      tracks: null,
      at: at(6),
      renumbered: [],
      discontinued: [],
    },
  });
  const adopted = decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1) })]);
  const reverted = (parts: Partial<Extract<VideoEvent, { type: 'VideoChangeReverted' }>['data']>): VideoEvent => ({
    type: 'VideoChangeReverted',
    data: {
      title: null,
      media_url: null,
      faces: [],
      tags: [],
      ruled_out: [],
      position: '3',
      change_id: 'c',
      run_id: null,
      cause: { kind: 'request' },
      audio: null,
      changed_since: [],
      at: at(7),
      ...parts,
    },
  });

  it('include the audio for matches and names from speakers', () => {
    const changes = {
      audio: { audio_id: audioId('a'), audio_revision: 3, changes: { title: null, speakers: [] } },
      faces: [change(1, {}, { name: 'Ann' })],
      ruled_out: [ruling(1, 2)],
    };
    const linkingEvents: ReadonlyArray<VideoEvent> = [
      decided([], [ruling(1, 2)]),
      { type: 'FaceUnmatched', data: { changes: [], at: at(5) } },
      { type: 'SpeakerWithdrawn', data: { speaker_id: speakerId(1), merged_into: null, changes: [], at: at(5) } },
      named('Zoe', 'speaker_renamed'),
      named('a name that it got from a speaker', 'request'),
      analysedAs(face(1, 'Face 1'), face(2, 'Zoe', matched(1))),
      reverted({ faces: changes.faces }),
      reverted({ ruled_out: changes.ruled_out }),
    ];
    for (const event of linkingEvents) expect(about(event, ...video), event.type).to.deep.equal(['audio-a']);
    const kept = analysedAs(face(1, 'Ann'), face(2, 'Zoe'));
    expect(about(kept, ...video, adopted), 'an analysis that leaves a face its speaker’s name').to.deep.equal([
      'audio-a',
    ]);
  });

  it('are otherwise only the video', () => {
    const own: ReadonlyArray<VideoEvent> = [
      named('Zoe', 'request'),
      analysedAs(face(1, 'Face 1'), face(2, 'Zoe'), face(3, 'Max')),
      reverted({}),
      queued('r', 'commit', 5),
      erased,
    ];
    for (const event of own) expect(about(event, ...video), event.type).to.deep.equal([]);
    expect(about(analysedAs(face(1, 'Bea')), ...video, adopted), 'another name').to.deep.equal([]);
    const [there, back] = [change(2, { name: 'Zoe' }, { name: 'Ann' }), change(2, { name: 'Ann' }, { name: 'Zoe' })];
    const undo = reverted({ faces: [back] });
    expect(about(undo, ...video, named('Zoe', 'request')), 'a renaming undone').to.deep.equal([]);
    const again = reverted({ faces: [there] });
    expect(about(again, ...video, named('Zoe', 'request'), undo), 'and made again').to.deep.equal([]);
  });

  it('include the audio for an undo that brings a speaker’s name back, which is not the face’s own then', () => {
    const unmatched: VideoEvent = {
      type: 'FaceUnmatched',
      data: { changes: [change(1, { name: 'Ann', ...matched(1) }, { name: 'Ann' })], at: at(5) },
    };
    const renamed: VideoEvent = {
      type: 'FacesRenamed',
      data: {
        faces: [
          { face_id: faceId(1), name: 'Bea', previous_name: 'Ann', named_by: { before: 'person', after: 'person' } },
        ],
        cause: { kind: 'request' },
        at: at(6),
      },
    };
    const undo = reverted({ faces: [change(1, { name: 'Bea' }, { name: 'Ann' }, ['person', 'person'])] });
    const given = [...video, adopted, unmatched, renamed];
    expect(about(undo, ...given)).to.deep.equal(['audio-a']);
    const state = theVideo.given(...given, undo, queued('r', 'commit', 8)).state();
    if (state._tag !== 'Registered') throw new Error('the video is there');
    expect(state.faces.get(faceId(1))?.own.at(-1)).to.deep.equal({ name: 'Face 1', named_by: 'analysis' });
  });

  it('include an audio that is associated, and nobody without one', () => {
    const associated: VideoEvent = {
      type: 'AudioAssociated',
      data: { audio_id: audioId('b'), owner_id: accountId('owner'), title: null, kind: 'upload', deal_persons: [] },
    };
    expect(about(associated, registered({ audio: null }))).to.deep.equal(['audio-b']);
    expect(about(decided([]), registered({ audio: null }))).to.deep.equal([]);
    expect(about(decided([]))).to.deep.equal([]);
  });
});

describe('refusals of commands for a video', () => {
  it('are distinguished from other refusals', () => {
    const isOfUnmatching = isVideoRefusalOf('UnmatchFace');
    for (const _tag of ['UnknownVideo', 'MediumErased', 'VideoUnprocessed', 'InvalidFace'])
      expect(isOfUnmatching({ _tag }), _tag).to.equal(true);
    for (const _tag of ['VideoExists', 'InvalidSpeaker', '']) expect(isOfUnmatching({ _tag }), _tag).to.equal(false);
  });
});
