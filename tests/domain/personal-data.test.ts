import { expect } from 'chai';
import { isErasing, isPersonal, subjectsOf } from '../../domain/event-catalogue.js';

describe('personal data', () => {
  it('depends on the event type, not its version', () => {
    for (const type of ['TagsWritten', 'TagsWritten.v1', 'TagsWritten.v12', 'RealtimeSessionCreated.v1'])
      expect(isPersonal(type), type).to.equal(true);
    for (const type of ['MediumErased', 'CreditsCharged.v1', 'NameInferenceFailed.v1', 'Unknown.v1', 'TagsWritten.v'])
      expect(isPersonal(type), type).to.equal(false);
  });

  it('is sealed for the owner of the stream and all others concerned, each once, sorted', () => {
    expect(subjectsOf('TagsWritten.v1', 'video-v', [])).to.deep.equal(['video-v']);
    expect(subjectsOf('SpeakersRenamed', 'audio-b', ['video-v', 'audio-b', 'audio-a'])).to.deep.equal([
      'audio-a',
      'audio-b',
      'video-v',
    ]);
    expect(subjectsOf('MatchesCommitted.v2', 'matchRun-r', ['video-v'])).to.deep.equal(['video-v']);
  });

  it('about specific subjects is sealed for these', () => {
    expect(subjectsOf('WriteAnswered.v1', 'idempotencyKey-k', ['video-v'])).to.deep.equal(['video-v']);
    expect(subjectsOf('WriteAnswered.v1', 'idempotencyKey-k', [])).to.deep.equal([]);
  });

  it('is in no unsealed event', () => {
    expect(subjectsOf('MediumErased.v1', 'video-v', ['audio-a'])).to.deep.equal([]);
    expect(subjectsOf('Unknown.v1', 'video-v', ['audio-a'])).to.deep.equal([]);
  });

  it('must no longer be found after the erasure of a medium or of a video’s audio', () => {
    for (const type of ['MediumErased.v1', 'AudioErased.v2']) expect(isErasing(type), type).to.equal(true);
    for (const type of ['MediumErasedLater.v1', 'NotMediumErased.v1', 'TagsWritten.v1'])
      expect(isErasing(type), type).to.equal(false);
  });
});
