import { expect } from 'chai';
import { isErasing, isPersonal, subjectsOf } from '../../domain/event-catalogue.js';
import { video as decider } from '../../domain/video/decider.js';
import type { VideoEvent } from '../../domain/video/events.js';
import { registeredIn } from '../support/specification.js';
import { decided, matched, ruling } from '../support/link-decisions.js';
import { renamed, undo } from '../support/reverts.js';
import { accountId, at, audioId, faceId, speakerId } from '../support/values.js';
import {
  analyse,
  analysed,
  change,
  changeReverted,
  completed,
  face,
  queued,
  registered,
  renamedFaces,
  seen,
  theVideo,
  erasedVideo,
  renameOfFace,
} from '../support/video-events.js';

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

  it('about specific subjects is sealed for these, and other events for nobody', () => {
    expect(subjectsOf('WriteAnswered.v1', 'idempotencyKey-k', ['video-v'])).to.deep.equal(['video-v']);
    expect(subjectsOf('WriteAnswered.v1', 'idempotencyKey-k', [])).to.deep.equal([]);
    for (const type of ['MediumErased.v1', 'Unknown.v1'])
      expect(subjectsOf(type, 'video-v', ['audio-a']), type).to.deep.equal([]);
  });

  it('must no longer be found after the erasure of a medium or of a video’s audio', () => {
    for (const type of ['MediumErased.v1', 'AudioErased.v2']) expect(isErasing(type), type).to.equal(true);
    for (const type of ['MediumErasedLater.v1', 'NotMediumErased.v1', 'TagsWritten.v1'])
      expect(isErasing(type), type).to.equal(false);
  });
});

describe('subjects of a video’s events', () => {
  const about = (event: VideoEvent, ...given: ReadonlyArray<VideoEvent>) =>
    decider.about?.(theVideo.given(...given).state(), event, renameOfFace);
  const video = completed(face(1, 'Face 1'), face(2, 'Zoe'));
  const named = (previous: string, cause: 'request' | 'speaker_renamed') =>
    renamedFaces(
      5,
      [[2, 'Ann', previous]],
      cause === 'request' ? { kind: cause } : { kind: cause, audio_id: audioId('a'), audio_revision: 3 },
    );
  const analysedAs = (...faces: ReadonlyArray<ReturnType<typeof face>>): VideoEvent =>
    analysed(faces, 'completed', { analysis_id: 'second' });
  const adopted = decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1) })]);
  it('include the audio for matches and names from speakers', () => {
    const linkingEvents: ReadonlyArray<VideoEvent> = [
      decided([], [ruling(1, 2)]),
      { type: 'FaceUnmatched', data: { changes: [], at: at(5) } },
      { type: 'SpeakerWithdrawn', data: { speaker_id: speakerId(1), merged_into: null, changes: [], at: at(5) } },
      named('Zoe', 'speaker_renamed'),
      named('a name that it got from a speaker', 'request'),
      analysedAs(face(1, 'Face 1'), face(2, 'Zoe', matched(1))),
      changeReverted({ faces: [change(1, {}, { name: 'Ann' })] }),
      changeReverted({ ruled_out: [ruling(1, 2)] }),
    ];
    for (const event of linkingEvents) expect(about(event, ...video), event.type).to.deep.equal(['audio-a']);
    const kept = analysedAs(face(1, 'Ann'), face(2, 'Zoe'));
    expect(about(kept, ...video, adopted), 'a name that stays').to.deep.equal(['audio-a']);
  });

  it('are otherwise only the video', () => {
    const own: ReadonlyArray<VideoEvent> = [
      named('Zoe', 'request'),
      analysedAs(face(1, 'Face 1'), face(2, 'Zoe'), face(3, 'Max')),
      changeReverted({}),
      queued('r', 'commit', 5),
      erasedVideo,
    ];
    for (const event of own) expect(about(event, ...video), event.type).to.deep.equal([]);
    expect(about(analysedAs(face(1, 'Bea')), ...video, adopted), 'another name').to.deep.equal([]);
    const [there, back] = [change(2, { name: 'Zoe' }, { name: 'Ann' }), change(2, { name: 'Ann' }, { name: 'Zoe' })];
    const undo = changeReverted({ faces: [back] });
    expect(about(undo, ...video, named('Zoe', 'request')), 'a renaming undone').to.deep.equal([]);
    const again = changeReverted({ faces: [there] });
    expect(about(again, ...video, named('Zoe', 'request'), undo), 'and made again').to.deep.equal([]);
  });

  it('are only the video for a matched face whose second name is undone, or that is analysed again', () => {
    const second = renamed(7, 'Cleo', 'Bea', 'person');
    const given = [...video, adopted, renamed(6, 'Bea', 'Ann', 'person'), second];
    const analysis = analyse([seen(1, 'Dora', { calm: 1 })]);
    for (const { command, faceAfter } of [
      { command: undo(second), faceAfter: { name: 'Bea' } },
      { command: analysis, faceAfter: { name: 'Cleo', personality_traits: { calm: 1 } } },
    ]) {
      const then = theVideo.given(...given);
      expect(then.events(command).map((event) => about(event, ...given))).to.deep.equal([[]]);
      expect(registeredIn(then.after(command)).faces.get(faceId(1))).to.deep.include({ ...matched(1), ...faceAfter });
    }
  });

  it('include the audio for an undo that brings a speaker’s name back, which is not the face’s own then', () => {
    const unmatched: VideoEvent = {
      type: 'FaceUnmatched',
      data: { changes: [change(1, { name: 'Ann', ...matched(1) }, { name: 'Ann' })], at: at(5) },
    };
    const undo = changeReverted({ faces: [change(1, { name: 'Bea' }, { name: 'Ann' }, ['person', 'person'])] });
    const given = [...video, adopted, unmatched, renamed(6, 'Bea', 'Ann', 'person')];
    expect(about(undo, ...given)).to.deep.equal(['audio-a']);
    const state = registeredIn(theVideo.given(...given, undo, queued('r', 'commit', 8)).state());
    expect(state.faces.get(faceId(1))?.own.at(-1)).to.deep.equal({ name: 'Face 1', named_by: 'analysis' });
  });

  it('include an audio that is associated, and nobody without one', () => {
    const associated: VideoEvent = {
      type: 'AudioAssociated',
      data: { audio_id: audioId('b'), owner_id: accountId('owner'), title: null, kind: 'upload', deal_persons: [] },
    };
    expect(about(associated, registered({ audio: null }))).to.deep.equal(['audio-b']);
    expect(about(decided([]), registered({ audio: null }))).to.deep.equal([]);
    expect(about(decided([]))).to.deep.equal([]);
  });
});
