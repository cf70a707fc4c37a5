import { expect } from 'chai';
import type { RevertAudioChange } from '../../../domain/audio/contract.js';
import { audio } from '../../../domain/audio/decider.js';
import type { VideoChanges } from '../../../domain/video/changes.js';
import { completedAudio, speaker, theAudio } from '../../support/audio-events.js';
import { ruling } from '../../support/link-decisions.js';
import { tagKey } from '../../support/tags.js';
import { at, videoId } from '../../support/values.js';
import { change } from '../../support/video-events.js';

const revert: RevertAudioChange = {
  type: 'RevertAudioChange',
  position: '7',
  change_id: 'first',
  changes: { speakers: [], title: null },
  revision: 1,
  cause: { kind: 'request' },
  other: null,
  changed_since: [],
  at: at(90),
};

describe('a change of an audio and its video that is undone', () => {
  it('passes on a video part of any kind, but no empty one', () => {
    const nothing = { faces: [], ruled_out: [], tags: [], title: null, media_url: null };
    const parts: ReadonlyArray<Partial<VideoChanges>> = [
      { faces: [change(1, { name: 'Face 1' }, { name: 'Ann' })] },
      { ruled_out: [ruling(1, 2)] },
      { tags: [{ key: tagKey('label.a'), before: null, after: null }] },
      { media_url: { before: null, after: 'https://example.com/a.mp4' } },
    ];
    const given = theAudio.given(...completedAudio(speaker(1, 'Ann')));
    const handed = (changes: Partial<VideoChanges>) => {
      const other = { video_id: videoId('v'), video_revision: 3, changes: { ...nothing, ...changes }, run_id: null };
      return given.when({ ...revert, other });
    };
    for (const part of parts) {
      const [event] = handed(part).thenEvents();
      if (event?.type !== 'AudioChangeReverted') throw new Error('no revert');
      expect(event.data.video?.changes).to.deep.equal({ ...nothing, ...part });
      expect(audio.about?.(audio.initial, event, revert)).to.deep.equal(['video-v']);
    }
    given.when(revert).thenRefused({ _tag: 'NothingToRevert', changed_since: [] });
    given.when({ ...revert, cause: { kind: 'video', video_id: videoId('v'), video_revision: 3 } }).thenNothing();
  });
});
