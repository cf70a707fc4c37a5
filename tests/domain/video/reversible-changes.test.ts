import { expect } from 'chai';
import { irreversibleVideoChange, runOf, videoChangesOf } from '../../../domain/video/reversible-changes.js';
import { matchedNamesAfter } from '../../../domain/video/link-faces.js';
import type { VideoCommand } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceChange } from '../../../domain/video/changes.js';
import {
  analysed,
  block,
  change,
  changeReverted,
  committed,
  facesMatched,
  origin,
  queued,
  registered,
  stored,
  theVideo,
} from '../../support/video-events.js';
import { accountId, at, audioId, faceId, runId, speakerId } from '../../support/values.js';

const [one, two] = [{ speaker_id: speakerId(1) }, { speaker_id: speakerId(2) }];
const linked = change(1, { name: null }, { name: 'Ann', ...one }, ['analysis', 'speaker']);
const replaced = change(3, { name: 'Cy', ...two }, { name: 'Cy', ...one });
const unlinked = change(2, { name: 'Bob', ...two }, { name: 'Bob' });

const failed = (...replaced: ReadonlyArray<FaceChange>): VideoEvent => ({
  type: 'MatchRunFailed',
  data: { ...origin('r', 5), mode: 'commit', error: 'no', replaced, withdraws_block: false },
});

const match = facesMatched(5, [linked]);
const decision: VideoEvent = {
  type: 'LinksDecided',
  data: { audio_id: audioId('a'), changes: [linked], ruled_out: [], at: at(5) },
};
const unmatch: VideoEvent = { type: 'FaceUnmatched', data: { changes: [linked], at: at(5) } };
const withdrawal: VideoEvent = {
  type: 'SpeakerWithdrawn',
  data: { speaker_id: speakerId(1), merged_into: null, changes: [linked], at: at(5) },
};
const revert: VideoEvent = {
  type: 'MatchRunReverted',
  data: { run_id: runId('r'), changes: [linked], changed_since: [], at: at(5) },
};
const commit = committed('r', 5, { changes: [linked], replaced: [replaced] });
const association = { audio_id: audioId('a'), owner_id: accountId('owner'), title: null, kind: 'upload' } as const;

describe('what a change of a video contains', () => {
  const facesIn = (...changes: ReadonlyArray<ReadonlyArray<FaceChange>>) =>
    videoChangesOf(changes.map((made) => ({ type: 'FaceUnmatched', data: { changes: made, at: at(5) } }))).faces;

  it('is the face changes of each event, or a reason why it cannot be undone', () => {
    const contents: ReadonlyArray<readonly [VideoEvent, string | ReadonlyArray<FaceChange>]> = [
      [registered(), 'registration'],
      [{ type: 'AudioAssociated', data: { ...association, deal_persons: [] } }, 'link'],
      [{ type: 'AudioDissociated', data: { audio_id: audioId('a') } }, 'link'],
      [analysed([]), 'analysis'],
      [{ type: 'PersonalityTraitsRecorded', data: { face_id: faceId(1), personality_traits: {} } }, 'personality_data'],
      [queued('r', 'commit', 1), 'trigger'],
      [stored(block('r', 2)), 'suggestions'],
      [failed(), 'failed_run'],
      [failed(linked), [linked]],
      [match, [linked]],
      [decision, [linked]],
      [unmatch, [linked]],
      [withdrawal, [linked]],
      [revert, [linked]],
      [commit, [replaced, linked]],
    ];
    const none = { ruled_out: [], tags: [], title: null, media_url: null };
    for (const [event, content] of contents) {
      const [reason, faces] = typeof content === 'string' ? [content, []] : [null, content];
      expect(irreversibleVideoChange(event), event.type).to.equal(reason);
      expect(videoChangesOf([event]), event.type).to.deep.equal({ ...none, faces });
    }
  });

  it('is combined field by field', () => {
    const first = change(1, { ...one, accuracy: 0.5 }, { ...two, accuracy: 0.9 });
    const second = change(1, { name: 'Ann', ...two, personality_traits: { calm: 1 } }, { name: 'Eve', ...two });
    expect(facesIn([first], [second, unlinked])).to.deep.equal([
      {
        face_id: 1,
        before: { name: 'Ann', ...one, accuracy: 0.5, personality_traits: { calm: 1 } },
        after: { name: 'Eve', ...two, accuracy: 0.9, personality_traits: null },
        named_by: { before: 'analysis', after: 'person' },
      },
      unlinked,
    ]);
  });

  it('keeps of a match what a later change of the name does not hold', () => {
    const match = change(1, { name: 'Ann', ...one, accuracy: 0.9 }, { name: 'Bob', ...two, accuracy: 0.9 });
    const renamed = change(1, { name: 'Bob' }, { name: 'Eve' }, ['person', 'person']);
    expect(facesIn([match], [renamed])).to.deep.equal([{ ...match, after: { ...match.after, name: 'Eve' } }]);
  });

  it('is the later change of a name that something else changed in between, or claimed', () => {
    const match = change(1, { name: 'Ann', ...one }, { name: 'Bob', ...two });
    for (const [name, by] of [
      ['Zoe', 'person'],
      ['Bob', 'speaker'],
    ] as const)
      expect(facesIn([match], [change(1, { name }, { name: 'Eve' }, [by, 'person'])])).to.deep.equal([
        change(1, { name, ...one }, { name: 'Eve', ...two }, [by, 'person']),
      ]);
  });

  it('knows the run of the last write-back', () => {
    expect(runOf([committed('r', 1, {}), match, committed('s', 2, {}), failed()])).to.equal('s');
    expect(runOf([match])).to.equal(null);
  });
});

describe('the matched faces whose names an event changed', () => {
  const named = (changes: ReadonlyArray<FaceChange>, speakers: ReadonlyArray<readonly [number, string]>) =>
    matchedNamesAfter(
      facesMatched(
        5,
        changes,
        speakers.map(([id, name]) => [id, name, null]),
      ),
    );
  const adopted = { ...one, name: 'Ann', named_at: at(5), name_origin: 'adopted' };

  it('have the name from the speaker if the event matches', () => {
    expect(matchedNamesAfter(match)).to.deep.equal([adopted]);
    expect(matchedNamesAfter(decision)).to.deep.equal([adopted]);
    expect(matchedNamesAfter(commit)).to.deep.equal([
      { ...one, name: 'Cy', named_at: at(5), name_origin: 'own' },
      adopted,
    ]);
  });

  it('have their own name if the event undoes something', () => {
    const own = { ...adopted, name_origin: 'own' };
    const undone = changeReverted({ faces: [linked], at: at(5) });
    for (const event of [undone, failed(linked), withdrawal, revert])
      expect(matchedNamesAfter(event), event.type).to.deep.equal([own]);
  });

  it('share the name with the speaker if a person named both', () => {
    const shared = { ...one, name: 'Eve', named_at: at(5), name_origin: 'shared' };
    expect(named([linked], [[1, 'Eve']])).to.deep.equal([shared]);
    expect(named([linked], [[2, 'Bob']])).to.deep.equal([adopted, { ...shared, ...two, name: 'Bob' }]);
  });

  it('are none if neither name nor match changed, or the face lost its match', () => {
    const same = change(1, { name: 'Ann', ...one, accuracy: 0.5 }, { name: 'Ann', ...one });
    expect(named([same, unlinked], [])).to.deep.equal([]);
    for (const event of [registered(), unmatch, queued('r', 'commit', 1)])
      expect(matchedNamesAfter(event), event.type).to.deep.equal([]);
  });
});

describe('the details of a video', () => {
  const changing = (title?: string | null, media_url?: string | null): VideoCommand => ({
    type: 'ChangeVideoDetails',
    title,
    media_url,
    at: at(5),
  });
  type Edit = { readonly before: string | null; readonly after: string | null } | null;
  const changed = (title: Edit, media_url: Edit = null): VideoEvent => ({
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
        [changing('Talk'), [changed(talk)]],
        [changing(undefined, 'http://m'), [changed(null, media)]],
        [changing('Talk', 'http://m'), [changed(talk, media)]],
      );
    theVideo
      .given(registered(), changed(talk))
      .cases(
        [changing(), []],
        [changing('Talk', null), []],
        [changing(null), [changed({ before: 'Talk', after: null })]],
      );
  });
});
