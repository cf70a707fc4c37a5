import { expect } from 'chai';
import type { VideoCommand } from '../../../domain/video/contract.js';
import { registeredIn } from '../../support/specification.js';
import { decided, matched, ruling } from '../../support/link-decisions.js';
import { accountId, at, audioId, faceId } from '../../support/values.js';
import {
  attributes,
  change,
  completed,
  face,
  queued,
  registerVideo,
  renamedFaces,
  registered,
  theVideo,
  erasedVideo,
  renameOfFace,
} from '../../support/video-events.js';

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
  it('leaves no data', () => {
    const state = theVideo.given(...completed(face(1, 'Ann')), erasedVideo).state();
    expect(state).to.deep.equal({ _tag: 'Erased', owner_id: accountId('owner'), erased_at: at(9) });
  });
  it('needs an existing video', () => theVideo.given().cases([erase, { _tag: 'UnknownVideo' }]));
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
