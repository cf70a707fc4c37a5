import { expect } from 'chai';
import type { AudioCommand } from '../../../domain/audio/contract.js';
import { audio as decider } from '../../../domain/audio/decider.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import { completedAudio, registerAudio, registeredAudio, speaker, theAudio } from '../../support/audio-events.js';
import { accountId, at, speakerId, videoId } from '../../support/values.js';

const erase: AudioCommand = { type: 'EraseAudio', at: at(9) };
const remove: AudioCommand = { type: 'DeleteSpeaker', speaker_id: speakerId(1), at: at(10) };
const erased = (linked: string | null): AudioEvent => ({
  type: 'MediumErased',
  data: { medium: 'audio', owner_id: accountId('owner'), linked, at: at(9) },
});

describe('the erasure of an audio', () => {
  it('records the owner and the linked video', () => {
    theAudio.given(registeredAudio({ video: 'v' })).cases([erase, [erased('v')]]);
    theAudio.given(registeredAudio()).cases([erase, [erased(null)]]);
  });
  it('is final: every command is refused', () => {
    for (const command of [erase, remove, registerAudio])
      theAudio
        .given(...completedAudio(speaker(1, 'Ann')), erased(null))
        .cases([command, { _tag: 'MediumErased', erased_at: at(9) }]);
  });
  it('leaves no data', () => {
    const state = theAudio.given(...completedAudio(speaker(1, 'Ann')), erased(null)).state();
    expect(state).to.deep.equal({ _tag: 'Erased', owner_id: accountId('owner'), erased_at: at(9) });
  });
  it('needs an existing audio', () => theAudio.given().cases([erase, { _tag: 'UnknownAudio' }]));
});

describe('subjects of an audio’s events', () => {
  const about = (event: AudioEvent) => decider.about?.(theAudio.given(registeredAudio()).state(), event, erase);

  it('include a video that is attached', () => {
    const data = { video_id: videoId('v'), owner_id: accountId('owner'), title: null, kind: 'upload', media_url: null };
    expect(about({ type: 'AudioAttached', data: { ...data, kind: 'upload' } })).to.deep.equal(['video-v']);
  });
  it('are otherwise only the audio', () => expect(about(registeredAudio())).to.deep.equal([]));
});

describe('the details of an audio', () => {
  const changeTitle = (title: string | null | undefined): AudioCommand => ({
    type: 'ChangeAudioDetails',
    title,
    at: at(3),
  });
  it('are changed', () =>
    theAudio
      .given(registeredAudio())
      .cases([
        changeTitle('A call'),
        [{ type: 'AudioDetailsChanged', data: { title: { before: null, after: 'A call' }, at: at(3) } }],
      ]));
  it('stay unchanged if the same values are sent', () => {
    theAudio.given(registeredAudio()).cases([changeTitle(null), []], [changeTitle(undefined), []]);
  });
});
