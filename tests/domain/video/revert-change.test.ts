import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { irreversibleVideoChange, runOf, videoChangesOf } from '../../../domain/video/reversible-changes.js';
import { matchedNamesAfter } from '../../../domain/video/link-faces.js';
import type { VideoCommand, RevertVideoChange } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceChange, VideoEdits } from '../../../domain/video/changes.js';
import { type RecordFields, fieldsOf } from '../../../domain/kernel/edit.js';
import { partOfVideo } from '../../../domain/video/decisions/revert-change.js';
import {
  analysed,
  block,
  change,
  changeReverted,
  committed,
  runFailed,
  runReverted,
  facesMatched,
  queued,
  registered,
  stored,
  theVideo,
  completed,
  face,
} from '../../support/video-events.js';
import { accountId, at, audioId, faceId, speakerId, tagKey, tagSource, videoId } from '../../support/values.js';
import { registeredIn } from '../../support/specification.js';
import { decided, ruling } from '../../support/link-decisions.js';
import { matched, on, outcome, renamed, undo } from '../../support/reverts.js';

const [one, two] = [{ speaker_id: speakerId(1) }, { speaker_id: speakerId(2) }];
const linkedFace = change(1, { name: null }, { name: 'Ann', ...one }, ['analysis', 'speaker']);
const replaced = change(3, { name: 'Cy', ...two }, { name: 'Cy', ...one });
const unlinked = change(2, { name: 'Bob', ...two }, { name: 'Bob' });

const failed = (...replaced: ReadonlyArray<FaceChange>) => runFailed(5, { replaced });

const matching = facesMatched(5, [linkedFace]);
const decision: VideoEvent = {
  type: 'LinksDecided',
  data: { audio_id: audioId('a'), changes: [linkedFace], ruled_out: [], at: at(5) },
};
const unmatch: VideoEvent = { type: 'FaceUnmatched', data: { changes: [linkedFace], at: at(5) } };
const withdrawal: VideoEvent = {
  type: 'SpeakerWithdrawn',
  data: { speaker_id: speakerId(1), merged_into: null, changes: [linkedFace], at: at(5) },
};
const commit = committed('r', 5, { changes: [linkedFace], replaced: [replaced] });
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
      [failed(linkedFace), [linkedFace]],
      [matching, [linkedFace]],
      [decision, [linkedFace]],
      [unmatch, [linkedFace]],
      [withdrawal, [linkedFace]],
      [runReverted(5, [linkedFace]), [linkedFace]],
      [commit, [replaced, linkedFace]],
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
    const matching = change(1, { name: 'Ann', ...one, accuracy: 0.9 }, { name: 'Bob', ...two, accuracy: 0.9 });
    const renamed = change(1, { name: 'Bob' }, { name: 'Eve' }, ['person', 'person']);
    expect(facesIn([matching], [renamed])).to.deep.equal([{ ...matching, after: { ...matching.after, name: 'Eve' } }]);
  });

  it('is the later change of a name that something else changed in between, or claimed', () => {
    const matching = change(1, { name: 'Ann', ...one }, { name: 'Bob', ...two });
    for (const [name, by] of [
      ['Zoe', 'person'],
      ['Bob', 'speaker'],
    ] as const)
      expect(facesIn([matching], [change(1, { name }, { name: 'Eve' }, [by, 'person'])])).to.deep.equal([
        change(1, { name, ...one }, { name: 'Eve', ...two }, [by, 'person']),
      ]);
  });

  it('knows the run of the last write-back', () => {
    expect(runOf([committed('r', 1, {}), matching, committed('s', 2, {}), failed()])).to.equal('s');
    expect(runOf([matching])).to.equal(null);
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
    expect(matchedNamesAfter(matching)).to.deep.equal([adopted]);
    expect(matchedNamesAfter(decision)).to.deep.equal([adopted]);
    expect(matchedNamesAfter(commit)).to.deep.equal([
      { ...one, name: 'Cy', named_at: at(5), name_origin: 'own' },
      adopted,
    ]);
  });

  it('have their own name if the event undoes something', () => {
    const own = { ...adopted, name_origin: 'own' };
    const undone = changeReverted({ faces: [linkedFace], at: at(5) });
    for (const event of [undone, failed(linkedFace), withdrawal, runReverted(5, [linkedFace])])
      expect(matchedNamesAfter(event), event.type).to.deep.equal([own]);
  });

  it('share the name with the speaker if a person named both', () => {
    const shared = { ...one, name: 'Eve', named_at: at(5), name_origin: 'shared' };
    expect(named([linkedFace], [[1, 'Eve']])).to.deep.equal([shared]);
    expect(named([linkedFace], [[2, 'Bob']])).to.deep.equal([adopted, { ...shared, ...two, name: 'Bob' }]);
  });

  it('are none if neither name nor match changed, or the face lost its match', () => {
    const same = change(1, { name: 'Ann', ...one, accuracy: 0.5 }, { name: 'Ann', ...one });
    expect(named([same, unlinked], [])).to.deep.equal([]);
    for (const event of [registered(), unmatch, queued('r', 'commit', 1)])
      expect(matchedNamesAfter(event), event.type).to.deep.equal([]);
  });
});

const calm = { personality_traits: { calm: 1 } };
const fresh: VideoEvent = {
  type: 'PersonalityTraitsRecorded',
  data: { face_id: faceId(1), personality_traits: { fresh: 1 } },
};
const video = completed(face(1, 'Face 1', calm), face(2, 'Zoe'));
const match = change(1, { name: 'Face 1', ...calm }, on(1, 'Ann'), ['analysis', 'speaker']);
const moved = change(1, on(1, 'Ann', { accuracy: 0.5 }), on(2, 'Ann', { accuracy: 0.9 }));
const confirmed = change(1, on(1, 'Ann', { accuracy: 0.5 }), on(1, 'Ann'));
const claimed = change(1, { name: 'Face 1' }, { name: 'Face 1' }, ['analysis', 'person']);
const named = change(1, { name: 'Face 1' }, { name: 'Ann' }, ['analysis', 'speaker']);
const later = (...made: Parameters<typeof change>): VideoEvent => matched(11, change(...made));

/** The first face after a command, as words: name, who gave it, speaker, accuracy, personality data. */
const faceAfter = (given: ReadonlyArray<VideoEvent>, command: VideoCommand): string => {
  const state = theVideo.given(...given).after(command);
  const first = registeredIn(state).faces.get(faceId(1));
  const { name, named_by, speaker_id, accuracy, personality_traits: traits } = first ?? {};
  return [name, named_by, speaker_id, accuracy, ...Object.keys(traits ?? {})].map((part) => part ?? '-').join(' ');
};

/** `since`: what happened after the change. `is`: the face after the revert; null: nothing was left to restore. */
const rule = (text: string, made: FaceChange, since: VideoEvent | null, is: string | null, ...left: string[]) =>
  it(text, () => {
    const event = matched(10, made);
    const given = [...video, event, ...(since === null ? [] : [since])];
    const changed_since = fieldsOf('face', 1, left);
    if (is === null) theVideo.given(...given).cases([undo(event), { _tag: 'NothingToRevert', changed_since }]);
    else {
      expect(faceAfter(given, undo(event))).to.equal(is);
      expect(outcome(given, undo(event)).changed_since).to.deep.equal(changed_since);
    }
  });

describe('a change of a face that is undone', () => {
  rule('takes back a match with all that it changed', match, null, 'Face 1 analysis - - calm');
  rule('leaves a new name', match, renamed(11, 'Eve', 'Ann', 'speaker'), 'Eve person - - calm', 'name');
  rule('leaves fresh personality data', match, fresh, 'Face 1 analysis - - fresh', 'personality_traits');
  const claim = later(1, { name: 'Ann' }, { name: 'Ann' }, ['speaker', 'person']);
  rule('leaves a name that a person has claimed since', named, claim, null, 'name');
  rule('does not report a name that is back already', named, renamed(11, 'Face 1', 'Ann', 'speaker'), null);
  rule('restores who gave the name if only that changed', claimed, null, 'Face 1 analysis - -');
  rule('restores a speaker with the accuracy', moved, null, 'Ann analysis 1 0.5');
  rule('does so if the match was confirmed since', moved, later(1, moved.after, on(2, 'Ann')), 'Ann analysis 1 0.5');
  rule('restores the accuracy of a match', confirmed, null, 'Ann analysis 1 0.5');
  rule('does not give it to another', confirmed, later(1, on(1, 'Ann'), on(2, 'Ann')), null, 'accuracy');
  const once = change(1, on(1, 'Face 1', { accuracy: 0.5 }), on(1, 'Ann', { accuracy: 0.5 }));
  rule('leaves an accuracy that it did not change', once, later(1, once.after, on(1, 'Ann')), 'Face 1 analysis 1 -');
  const taken = later(2, { name: 'Zoe' }, on(1, 'Zoe'));
  rule('leaves a speaker to another face', change(1, on(1, 'Ann'), { name: 'Ann' }), taken, null, 'speaker_id');
  rule('restores no speaker that is gone', change(1, on(9, 'Ann'), { name: 'Ann' }), null, null, 'speaker_id');
});

const source = tagSource('importer.crm');
const standing = (value: string | null) => (value === null ? null : { value, category: 'provider' as const, source });
const key = tagKey('vpm.a');
const wrote = (value: string, previous: string | null): VideoEvent => ({
  type: 'TagsWritten',
  data: { source, tags: [{ key, category: 'provider', value, previous: standing(previous) }], at: at(10) },
});
const removed: VideoEvent = {
  type: 'TagRemoved',
  data: { key, previous: { value: 'x', category: 'provider', source }, at: at(10) },
};
const titled = (before: string | null, after: string | null): VideoEvent => ({
  type: 'VideoDetailsChanged',
  data: { title: { before, after }, media_url: { before, after }, at: at(10) },
});
const details = { before: 'A film', after: null };
const ruledOut = decided([], [ruling(1, 2), ruling(2, null)]);
const tag = (before: string | null, after: string | null) => ({
  tags: [{ key, before: standing(before), after: standing(after) }],
});

describe('a change of other things of a video that is undone', () => {
  const restores = (what: string, events: ReadonlyArray<VideoEvent>, back: Partial<VideoEdits>) =>
    it(`restores ${what}`, () => {
      const command = undo(...events.slice(-1));
      expect(outcome([...video, ...events], command)).to.deep.include({ ...back, changed_since: [] });
    });
  restores('no new tag', [wrote('x', null)], tag('x', null));
  restores('the older value of a tag', [wrote('x', null), wrote('y', 'x')], tag('y', 'x'));
  restores('a removed tag', [wrote('x', null), removed], tag(null, 'x'));
  restores('title and media_url', [titled(null, 'A film')], { title: details, media_url: details });
  restores('what was ruled out', [ruledOut], { ruled_out: [ruling(1, 2, false), ruling(2, null, false)] });

  const leaves = (what: string, made: VideoEvent, since: VideoEvent, changed_since: ReadonlyArray<RecordFields>) =>
    it(`leaves ${what}`, () =>
      theVideo.given(...video, made, since).cases([undo(made), { _tag: 'NothingToRevert', changed_since }]));
  leaves('a tag that was written since', wrote('x', null), wrote('y', 'x'), fieldsOf('tag', 'vpm.a', ['value']));
  const texts = fieldsOf('video', 'v', ['title', 'media_url']);
  leaves('texts that were changed since', titled(null, 'A film'), titled('A film', 'The film'), texts);
  const againstRuling = decided([], [ruling(1, 2, false), ruling(2, null, false)]);
  leaves('pairs that were decided since, without a report', ruledOut, againstRuling, []);
});

describe('a change of a video that is undone', () => {
  const cause: RevertVideoChange['cause'] = { kind: 'audio', audio_id: audioId('a'), audio_revision: 5 };
  const event = matched(10, match);
  const given = [...video, event];

  it('is undone once, can be redone, and undone again', () => {
    const steps = [...given];
    for (const name of ['Face 1', 'Ann', 'Face 1']) {
      const command = undo(...steps.slice(-1));
      steps.push(...theVideo.given(...steps).events(command));
      const now = theVideo.given(...steps);
      expect(registeredIn(now.state()).faces.get(faceId(1))?.name).to.equal(name);
      now.cases([command, { _tag: 'NothingToRevert', changed_since: [] }]);
    }
  });

  it('combines several events of one change', () => {
    const again = renamed(10, 'Eve', 'Ann', 'speaker');
    expect(faceAfter([...given, again], undo(event, again))).to.equal('Face 1 analysis - - calm');
  });

  it('reports the fields of a face that is gone', () => {
    const made = matched(10, change(7, on(1, 'Ann'), on(1, 'Bob', { accuracy: 0.5 })));
    const changed_since = [{ record: 'face' as const, id: 7, fields: ['name', 'accuracy'] }];
    theVideo.given(...video, made).cases([undo(made), { _tag: 'NothingToRevert', changed_since }]);
  });

  it('is refused after a renumbering; as a part of an undo of its audio it is left out', () => {
    const analysis = analysed([], 'completed', { analysis_id: 'second', discontinued: [faceId(1)] });
    const now = [...given, wrote('x', null), analysis];
    const command = { ...undo(event, wrote('x', null)), revision: -1 };
    theVideo.given(...now).cases([command, { _tag: 'NotRevertible', reason: 'renumbered' }]);
    expect(outcome(now, { ...command, cause })).to.deep.include({ faces: [], ...tag('x', null), changed_since: [] });
  });

  it('passes the audio’s part on, also if nothing else is left', () => {
    const part = {
      name: { before: { name: 'Ann', named_by: 'analysis' }, after: { name: 'Eve', named_by: 'person' } },
    } as const;
    const speakers = [{ speaker_id: speakerId(1), ...part, role: null, deal_person_id: null }];
    const other = { audio_id: audioId('a'), audio_revision: 3, changes: { speakers, title: null } };
    const changed_since = [{ record: 'speaker' as const, id: 2, fields: ['name'] }];
    const command = { ...undo(), other, changed_since };
    expect(outcome(given, command)).to.deep.include({ faces: [], audio: other, changed_since });
  });

  it('by an undo of its audio does nothing if nothing is left to restore', () => {
    theVideo.given(...video).cases([{ ...undo(event), cause }, []]);
  });

  it('is passed on by an undo of its audio as far as it can be undone', () => {
    const state = registeredIn(theVideo.given(...given, wrote('x', null), wrote('y', 'x')).state());
    const changed_since = [{ record: 'tag', id: 'vpm.a', fields: ['value'] }];
    const passedOn = (...events: ReadonlyArray<VideoEvent>) => partOfVideo(state, 5, undo(...events));
    const changes = { faces: [match], ruled_out: [], tags: [], title: null, media_url: null };
    const other = { video_id: videoId('v'), video_revision: 5, changes, run_id: null };
    expect(passedOn(event, wrote('x', null))).to.deep.equal(E.right({ other, changed_since }));
    expect(passedOn(wrote('x', null))).to.deep.equal(E.right({ other: null, changed_since }));
  });
});
