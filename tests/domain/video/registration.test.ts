import type { AssociateAudio, VideoCommand } from '../../../domain/video/contract.js';
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
