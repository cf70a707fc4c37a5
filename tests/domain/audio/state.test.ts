import { expect } from 'chai';
import { audioChangesOf, irreversibleAudioChange } from '../../../domain/audio/revert-change.js';
import { audio } from '../../../domain/audio/decider.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import { lastRenamedAt } from '../../../domain/audio/state.js';
import { registeredIn } from '../../support/specification.js';
import {
  analysedAudio,
  completedAudio,
  registeredAudio,
  renamedSpeakers,
  speaker,
  theAudio,
} from '../../support/audio-events.js';
import { accountId, at, speakerId, videoId } from '../../support/values.js';

const renamed = (seconds: number, name: string, previous: string) => renamedSpeakers(seconds, [[1, name, previous]]);
const two = completedAudio(speaker(1, 'Ann'), speaker(2, 'Bob'));

describe('changes of an audio that cannot be undone', () => {
  it('are all irreversible events', () => {
    const removed = speaker(2, 'Bob');
    const merge = { from: speakerId(2), into: speakerId(1), removed: removed, renamed: null, called: null, at: at(5) };
    const attached = { video_id: videoId('v'), owner_id: accountId('o'), title: null, media_url: null };
    const transcript = { first_revision: 0, parts: 1 };
    const kinds: ReadonlyArray<readonly [AudioEvent, string | null]> = [
      [registeredAudio(), 'registration'],
      [{ type: 'AudioAttached', data: { ...attached, kind: 'upload' } }, 'link'],
      [{ type: 'AudioDetached', data: { video_id: videoId('v') } }, 'link'],
      [analysedAudio([]), 'analysis'],
      [{ type: 'TranscriptReplaced', data: { transcript_id: 't', transcript } }, 'transcript'],
      [{ type: 'SpeakersMerged', data: merge }, 'merge'],
      [{ type: 'SpeakerDeleted', data: { removed: removed, at: at(5) } }, 'deletion'],
      [renamed(5, 'Eve', 'Ann'), null],
    ];
    for (const [event, kind] of kinds) {
      expect(irreversibleAudioChange(event), event.type).to.equal(kind);
      if (kind !== null) expect(audioChangesOf([event]), event.type).to.deep.equal({ speakers: [], title: null });
    }
  });
});

describe('the state of an audio', () => {
  const stateOf = (...events: ReadonlyArray<AudioEvent>) => registeredIn(theAudio.given(...events).state());

  it('is what its last video left, although a revert that concerned both cannot be read', () => {
    const standing = { ...speaker(1, 'Ann'), role: 'agent', named_by: 'analysis', role_by: 'person' } as const;
    const detached: AudioEvent = {
      type: 'AudioDetached',
      data: { video_id: videoId('v'), title: 'Call', speakers: [standing] },
    };
    const state = stateOf(...two, renamed(5, 'Eve', 'Ann'), detached);
    expect(state).to.include({ title: 'Call', video_id: null });
    expect(state.speakers.get(speakerId(1))).to.include(standing);
    expect(stateOf(...two, { type: 'AudioDetached', data: { video_id: videoId('v') } }).speakers.size).to.equal(2);
  });

  it('knows when a speaker was last renamed or withdrawn', () => {
    const deleted = (seconds: number): AudioEvent => ({
      type: 'SpeakerDeleted',
      data: { removed: speaker(2, 'Bob'), at: at(seconds) },
    });
    expect(lastRenamedAt(stateOf(...two))).to.equal(null);
    expect(lastRenamedAt(stateOf(...two, renamed(5, 'Eve', 'Ann')))).to.equal(at(5));
    expect(lastRenamedAt(stateOf(...two, renamed(5, 'Eve', 'Ann'), deleted(9)))).to.equal(at(9));
    expect(lastRenamedAt(stateOf(...two, deleted(4), renamed(5, 'Eve', 'Ann')))).to.equal(at(5));
  });

  it('keeps who gave an unchanged name, and the provider flag, through another analysis', () => {
    const again = (name: string): AudioEvent => analysedAudio([speaker(1, name)], 'completed', { analysis_id: 'next' });
    const named = [...two, renamed(5, 'Eve', 'Ann')];
    const whose = (...events: ReadonlyArray<AudioEvent>) => stateOf(...events).speakers.get(speakerId(1))?.named_by;
    expect(whose(...named, again('Eve'))).to.equal('person');
    expect(whose(...named, again('Zoe'))).to.equal('analysis');
    const supplied = analysedAudio([], 'completed', { provider_supplied: true });
    expect(stateOf(registeredAudio(), supplied, again('Ann')).provider_supplied).to.equal(true);
    expect(stateOf(...two, again('Ann')).provider_supplied).to.equal(false);
  });

  it('is empty without registration', () => {
    expect(theAudio.given(renamed(5, 'Eve', 'Ann')).state()).to.deep.equal(audio.initial);
  });
});
