import type { AssociateAudio } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { accountId, audioId, videoId } from '../../support/values.js';
import { registerVideo as register, registered, theVideo } from '../../support/video-events.js';

const audio = {
  audio_id: audioId('b'),
  owner_id: accountId('owner'),
  title: 'Talk',
  kind: 'meeting',
  deal_persons: [{ person_id: 'p', name: 'Ann' }],
} as const;
const associate: AssociateAudio = { type: 'AssociateAudio', ...audio };
const associated: VideoEvent = { type: 'AudioAssociated', data: audio };

describe('the registration of a video', () => {
  it('registers it', () => theVideo.given().when(register).then(registered()));
  it('is refused if it exists', () =>
    theVideo
      .given(registered())
      .when(register)
      .thenRefused({ _tag: 'VideoExists', video_id: videoId('v') }));
});

describe('the audio of a video', () => {
  it('is associated with a video that has none', () =>
    theVideo
      .given(registered({ audio: null }))
      .when(associate)
      .then(associated));
  it('is refused if there is one', () =>
    theVideo
      .given(registered())
      .when(associate)
      .thenRefused({ _tag: 'AudioAlreadyAssociated', audio_id: audioId('a') }));
  it('is refused without a video', () => theVideo.given().when(associate).thenRefused({ _tag: 'UnknownVideo' }));
  it('is dissociated if it could not be registered', () =>
    theVideo
      .given(registered({ audio: null }), associated)
      .when({ type: 'DissociateAudio', audio_id: audioId('b') })
      .then({ type: 'AudioDissociated', data: { audio_id: audioId('b') } }));
  it('stays if another audio is to be dissociated', () =>
    theVideo
      .given(registered())
      .when({ type: 'DissociateAudio', audio_id: audioId('b') })
      .thenNothing());
});
