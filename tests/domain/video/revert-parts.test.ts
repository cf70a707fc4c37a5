import { expect } from 'chai';
import type { RevertVideoChange } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { matched, on, outcome, undo } from '../../support/reverts.js';
import { tagKey, tagSource } from '../../support/tags.js';
import { at, audioId, speakerId } from '../../support/values.js';
import { change, completed, face, theVideo } from '../../support/video-events.js';

const details = (seconds: number, before: string | null, after: string | null): VideoEvent => ({
  type: 'VideoDetailsChanged',
  data: { title: { before, after }, media_url: null, at: at(seconds) },
});
describe('a change of tags and details that is undone', () => {
  const standing = (value: string, source = 'importer.crm') => ({
    value,
    category: 'provider' as const,
    source: tagSource(source),
  });
  const wrote = (value: string, previous: string | null): VideoEvent => ({
    type: 'TagsWritten',
    data: {
      source: tagSource('importer.crm'),
      tags: [
        {
          key: tagKey('vpm.a'),
          category: 'provider',
          value,
          previous: previous === null ? null : standing(previous),
        },
      ],
      at: at(10),
    },
  });
  const video = completed(face(1, 'Face 1'));

  it('removes a new tag, and restores an older value', () => {
    expect(outcome([...video, wrote('x', null)], undo(wrote('x', null))).tags).to.deep.equal([
      { key: 'vpm.a', before: standing('x'), after: null },
    ]);
    expect(outcome([...video, wrote('x', null), wrote('y', 'x')], undo(wrote('y', 'x'))).tags).to.deep.equal([
      { key: 'vpm.a', before: standing('y'), after: standing('x') },
    ]);
  });

  it('leaves a tag that was written since', () =>
    theVideo
      .given(...video, wrote('x', null), wrote('y', 'x'))
      .when(undo(wrote('x', null)))
      .thenRefused({
        _tag: 'NothingToRevert',
        changed_since: [{ record: 'tag', id: 'vpm.a', fields: ['value'] }],
      }));

  it('restores a removed tag', () => {
    const removed: VideoEvent = {
      type: 'TagRemoved',
      data: { key: tagKey('label.a'), previous: { ...standing('x', 'user.owner'), category: 'label' }, at: at(10) },
    };
    expect(outcome([...video, removed], undo(removed)).tags).to.deep.equal([
      { key: 'label.a', before: null, after: { value: 'x', category: 'label', source: 'user.owner' } },
    ]);
  });

  it('restores a title unless it was changed since', () => {
    const titled = details(10, null, 'A film');
    expect(outcome([...video, titled], undo(titled)).title).to.deep.equal({ before: 'A film', after: null });
    theVideo
      .given(...video, titled, details(11, 'A film', 'The film'))
      .when(undo(titled))
      .thenRefused({
        _tag: 'NothingToRevert',
        changed_since: [{ record: 'video', id: 'v', fields: ['title'] }],
      });
  });
});

describe('a change of a video and its audio that is undone', () => {
  const names = { before: { name: 'Ann', named_by: 'analysis' }, after: { name: 'Eve', named_by: 'person' } } as const;
  const other = (audio_revision: number): NonNullable<RevertVideoChange['other']> => ({
    audio_id: audioId('a'),
    audio_revision,
    changes: {
      speakers: [{ speaker_id: speakerId(1), name: names, role: null, deal_person_id: null }],
      title: null,
    },
  });
  const match = matched(10, change(1, { name: 'Face 1' }, on(1, 'Eve')));
  const given = [...completed(face(1, 'Face 1')), match];

  it('passes the audio’s part on', () =>
    expect(outcome(given, { ...undo(match), other: other(3) }).audio).to.deep.equal({
      audio_id: 'a',
      audio_revision: 3,
      changes: other(3).changes,
    }));

  it('caused by the audio does nothing if nothing is left to restore', () => {
    const cause = { kind: 'audio', audio_id: audioId('a'), audio_revision: 5 } as const;
    theVideo
      .given(...completed(face(1, 'Face 1')))
      .when({ ...undo(match), cause })
      .thenNothing();
  });
});
