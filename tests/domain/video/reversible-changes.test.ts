import { expect } from 'chai';
import { irreversibleVideoChange, runOf, videoChangesOf } from '../../../domain/video/reversible-changes.js';
import { matchedNamesAfter } from '../../../domain/video/link-faces.js';
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

const events = {
  registration: registered(),
  association: {
    type: 'AudioAssociated',
    data: { audio_id: audioId('a'), owner_id: accountId('owner'), title: null, kind: 'upload', deal_persons: [] },
  },
  dissociation: { type: 'AudioDissociated', data: { audio_id: audioId('a') } },
  analysis: analysed([]),
  traits: { type: 'PersonalityTraitsRecorded', data: { face_id: faceId(1), personality_traits: {} } },
  trigger: queued('r', 'commit', 1),
  suggestions: stored(block('r', 2)),
  failure: failed(),
  failureThatReplaces: failed(linked),
  match: facesMatched(5, [linked]),
  decision: { type: 'LinksDecided', data: { audio_id: audioId('a'), changes: [linked], ruled_out: [], at: at(5) } },
  unmatch: { type: 'FaceUnmatched', data: { changes: [linked], at: at(5) } },
  withdrawal: {
    type: 'SpeakerWithdrawn',
    data: { speaker_id: speakerId(1), merged_into: null, changes: [linked], at: at(5) },
  },
  revert: { type: 'MatchRunReverted', data: { run_id: runId('r'), changes: [linked], changed_since: [], at: at(5) } },
  commit: committed('r', 5, { changes: [linked], replaced: [replaced] }),
} satisfies Record<string, VideoEvent>;

describe('what a change of a video contains', () => {
  const facesIn = (...changes: ReadonlyArray<ReadonlyArray<FaceChange>>) =>
    videoChangesOf(changes.map((made) => ({ type: 'FaceUnmatched', data: { changes: made, at: at(5) } }))).faces;

  it('has a reason if it cannot be undone', () =>
    expect(Object.values(events).map((event) => [event.type, irreversibleVideoChange(event)])).to.deep.equal([
      ['VideoRegistered', 'registration'],
      ['AudioAssociated', 'link'],
      ['AudioDissociated', 'link'],
      ['VideoAnalysisRecorded', 'analysis'],
      ['PersonalityTraitsRecorded', 'personality_data'],
      ['MatchRunQueued', 'trigger'],
      ['SuggestionsStored', 'suggestions'],
      ['MatchRunFailed', 'failed_run'],
      ['MatchRunFailed', null],
      ['FacesMatched', null],
      ['LinksDecided', null],
      ['FaceUnmatched', null],
      ['SpeakerWithdrawn', null],
      ['MatchRunReverted', null],
      ['MatchesCommitted', null],
    ]));

  it('is the face changes of each event', () => {
    const none = { faces: [], ruled_out: [], tags: [], title: null, media_url: null };
    for (const event of Object.values(events)) {
      const faces =
        irreversibleVideoChange(event) !== null ? [] : event === events.commit ? [replaced, linked] : [linked];
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
    expect(runOf([committed('r', 1, {}), events.match, committed('s', 2, {}), events.failure])).to.equal('s');
    expect(runOf([events.match])).to.equal(null);
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
    expect(matchedNamesAfter(events.match)).to.deep.equal([adopted]);
    expect(matchedNamesAfter(events.decision)).to.deep.equal([adopted]);
    expect(matchedNamesAfter(events.commit)).to.deep.equal([
      { ...one, name: 'Cy', named_at: at(5), name_origin: 'own' },
      adopted,
    ]);
  });

  it('have their own name if the event undoes something', () => {
    const own = { ...adopted, name_origin: 'own' };
    const undone = changeReverted({ faces: [linked], at: at(5) });
    for (const event of [undone, events.failureThatReplaces, events.withdrawal, events.revert])
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
    for (const event of [events.registration, events.unmatch, events.trigger])
      expect(matchedNamesAfter(event), event.type).to.deep.equal([]);
  });
});

describe('the details of a video', () => {
  const changing = (parts: { readonly title?: string | null; readonly media_url?: string | null }) => ({
    type: 'ChangeVideoDetails' as const,
    title: parts.title,
    media_url: parts.media_url,
    at: at(5),
  });
  type Edit = { readonly before: string | null; readonly after: string | null } | null;
  const changed = (title: Edit, media_url: Edit): VideoEvent => ({
    type: 'VideoDetailsChanged',
    data: { title, media_url, at: at(5) },
  });

  it('are changed one by one', () => {
    const video = theVideo.given(registered());
    video.cases([changing({ title: 'Talk' }), [changed({ before: null, after: 'Talk' }, null)]]);
    video.cases([changing({ media_url: 'http://m' }), [changed(null, { before: null, after: 'http://m' })]]);
    video.cases([
      changing({ title: 'Talk', media_url: 'http://m' }),
      [changed({ before: null, after: 'Talk' }, { before: null, after: 'http://m' })],
    ]);
  });

  it('do not change unless requested', () => {
    const video = theVideo.given(registered(), changed({ before: null, after: 'Talk' }, null));
    video.cases([changing({}), []]);
    video.cases([changing({ title: 'Talk', media_url: null }), []]);
    video.cases([changing({ title: null }), [changed({ before: 'Talk', after: null }, null)]]);
  });
});
