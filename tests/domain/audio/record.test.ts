import { expect } from 'chai';
import type { AnalysedSpeaker, AudioCommand, RecordAudioAnalysis } from '../../../domain/audio/contract.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import { audio } from '../../../domain/audio/decider.js';
import { lastRenamedAt } from '../../../domain/audio/state.js';
import {
  analysedAudio,
  completedAudio,
  registeredAudio,
  renamedSpeakers,
  speaker,
  theAudio,
  registerAudio,
} from '../../support/audio-events.js';
import { accountId, at, audioId, speakerId, videoId } from '../../support/values.js';
import { registeredIn } from '../../support/specification.js';

const analysed = (id: number, name: string | null, parts: Partial<AnalysedSpeaker> = {}): AnalysedSpeaker => ({
  speaker_id: speakerId(id),
  name,
  role: undefined,
  synthetic: false,
  ...parts,
});
const analyse = (
  speakers: ReadonlyArray<AnalysedSpeaker>,
  parts: Partial<RecordAudioAnalysis> = {},
): RecordAudioAnalysis => ({
  type: 'RecordAudioAnalysis',
  status: 'completed',
  analysis_id: 'second',
  speakers,
  mentioned: [],
  turns: null,
  transcript: null,
  keeps_transcript: true,
  provider_supplied: false,
  speech_segments: null,
  alignment: null,
  ...parts,
});
const recorded = (
  speakers: Parameters<typeof analysedAudio>[0],
  status: RecordAudioAnalysis['status'] = 'completed',
  ...discontinued: ReadonlyArray<number>
): AudioEvent => analysedAudio(speakers, status, { analysis_id: 'second', discontinued: discontinued.map(speakerId) });

describe('the analysis of an audio', () => {
  it('is refused for an audio that does not exist', () =>
    theAudio.given().cases([analyse([]), { _tag: 'UnknownAudio' }]));
  theAudio.given(registeredAudio()).tests({
    'is refused when it lists a speaker twice': [
      analyse([analysed(1, null), analysed(1, 'Ann')]),
      { _tag: 'DuplicateSpeaker', speaker_id: speakerId(1) },
    ],
    'is refused when turns or transcript contain a speaker that it does not list': [
      analyse([analysed(1, null)], { mentioned: [speakerId(1), speakerId(2)] }),
      { _tag: 'UndeclaredSpeaker', speaker_id: speakerId(2) },
    ],
    'lists the speakers; white space is no name': [
      analyse([analysed(1, ' '), analysed(2, 'Ann', { role: 'agent', synthetic: true })]),
      [recorded([speaker(1, null), speaker(2, 'Ann', { role: 'agent', synthetic: true })])],
    ],
  });
  theAudio.given(...completedAudio(speaker(1, 'Ann', { role: 'agent' }), speaker(2, 'Bob'))).tests({
    'changes nothing when it is sent again': [analyse([analysed(1, 'Bob')], { analysis_id: 'first' }), []],
    'replaces speakers once completed, and keeps the last name if it has none': [
      analyse([analysed(1, null)]),
      [recorded([speaker(1, 'Ann', { role: 'agent' })], 'completed', 2)],
    ],
    'replaces a name and role that an analysis gave': [
      analyse([analysed(1, 'Eve', { role: 'customer' }), analysed(2, 'Bob')]),
      [recorded([speaker(1, 'Eve', { role: 'customer' }), speaker(2, 'Bob')])],
    ],
    'removes no speaker before': [
      analyse([analysed(2, 'Bea')], { status: 'processing' }),
      [recorded([speaker(1, 'Ann', { role: 'agent' }), speaker(2, 'Bea')], 'processing')],
    ],
  });
  it('keeps names and roles that a person gave or cleared', () => {
    const role_by = { before: 'analysis', after: 'person' } as const;
    const roles = [{ speaker_id: speakerId(1), role: null, previous_role: 'agent' as const, role_by }];
    theAudio
      .given(...completedAudio(speaker(1, 'Ann', { role: 'agent' })), renamedSpeakers(5, [[1, 'Eve', 'Ann']]), {
        type: 'SpeakerRolesSet',
        data: { speakers: roles },
      })
      .cases([analyse([analysed(1, 'Bob', { role: 'customer' })]), [recorded([speaker(1, 'Eve')])]]);
  });
  it('forgets merges only with a new transcript and new turns', () => {
    const merged: AudioEvent = {
      type: 'SpeakersMerged',
      data: {
        from: speakerId(1),
        into: speakerId(2),
        removed: speaker(1, 'Ann'),
        renamed: null,
        called: { name: 'Bob', named_by: 'analysis' },
        at: at(5),
      },
    };
    const withdrawn = { kind: 'withdrawn', speaker_id: 1, name: 'Ann', merged_into: 2, at: at(5) };
    const given = theAudio.given(...completedAudio(speaker(1, 'Ann'), speaker(2, 'Bob')), merged);
    expect(given.state()).to.deep.include({ changes: { turns: [withdrawn], transcript: [withdrawn] } });
    const chunks = { first_revision: 0, parts: 1 };
    for (const [brings, transcript] of [
      [{ turns: chunks }, [withdrawn]],
      [{ transcript: chunks, keeps_transcript: false }, []],
    ] as const)
      expect(given.after(analyse([analysed(2, 'Bob')], brings))).to.deep.include({
        changes: { turns: [], transcript },
      });
  });
});

describe('a replaced transcript', () => {
  const replace: AudioCommand = {
    type: 'ReplaceTranscript',
    transcript_id: 't',
    transcript: { first_revision: 2, parts: 1 },
  };
  it('stays marked as replaced permanently', () => {
    const replaced: AudioEvent = {
      type: 'TranscriptReplaced',
      data: { transcript_id: 't', transcript: { first_revision: 2, parts: 1 } },
    };
    theAudio.given(registeredAudio()).cases([replace, [replaced]]);
    expect(
      theAudio.given(registeredAudio(), replaced).after(analyse([], { transcript: { first_revision: 3, parts: 1 } })),
    ).to.include({ replaced_by: 't' });
  });
});

describe('the registration of an audio', () => {
  const attached = { video_id: videoId('v'), owner_id: accountId('owner'), title: null, media_url: null } as const;
  const attach: AudioCommand = { type: 'AttachAudio', ...attached, kind: 'upload' };
  const detach: AudioCommand = { type: 'DetachAudio', video_id: videoId('v') };
  const detached: AudioEvent = {
    type: 'AudioDetached',
    data: { video_id: videoId('v'), title: null, speakers: [] },
  };
  it('registers it, once', () => {
    theAudio.given().cases([registerAudio, [registeredAudio()]]);
    theAudio.given(registeredAudio()).cases([registerAudio, { _tag: 'AudioExists', audio_id: audioId('a') }]);
  });
  it('attaches it to one video, and detaches it from that video alone', () => {
    theAudio
      .given(registeredAudio())
      .cases([attach, [{ type: 'AudioAttached', data: { ...attached, kind: 'upload' } }]]);
    theAudio.given(registeredAudio({ video: 'v' })).cases([detach, [detached]]);
    theAudio
      .given(registeredAudio({ video: 'w' }))
      .cases([attach, { _tag: 'AudioHasParent', video_id: videoId('w') }], [detach, []]);
  });
});

const renamedTo = (seconds: number, name: string, previous: string) => renamedSpeakers(seconds, [[1, name, previous]]);
const annAndBob = completedAudio(speaker(1, 'Ann'), speaker(2, 'Bob'));

describe('the state of an audio', () => {
  const stateOf = (...events: ReadonlyArray<AudioEvent>) => registeredIn(theAudio.given(...events).state());

  it('is what its last video left, although a revert that concerned both cannot be read', () => {
    const standing = { ...speaker(1, 'Ann'), role: 'agent', named_by: 'analysis', role_by: 'person' } as const;
    const detached: AudioEvent = {
      type: 'AudioDetached',
      data: { video_id: videoId('v'), title: 'Call', speakers: [standing] },
    };
    const state = stateOf(...annAndBob, renamedTo(5, 'Eve', 'Ann'), detached);
    expect(state).to.include({ title: 'Call', video_id: null });
    expect(state.speakers.get(speakerId(1))).to.include(standing);
    expect(stateOf(...annAndBob, { type: 'AudioDetached', data: { video_id: videoId('v') } }).speakers.size).to.equal(
      2,
    );
  });

  it('knows when a speaker was last renamed or withdrawn', () => {
    const deleted = (seconds: number): AudioEvent => ({
      type: 'SpeakerDeleted',
      data: { removed: speaker(2, 'Bob'), at: at(seconds) },
    });
    expect(lastRenamedAt(stateOf(...annAndBob))).to.equal(null);
    expect(lastRenamedAt(stateOf(...annAndBob, renamedTo(5, 'Eve', 'Ann')))).to.equal(at(5));
    expect(lastRenamedAt(stateOf(...annAndBob, renamedTo(5, 'Eve', 'Ann'), deleted(9)))).to.equal(at(9));
    expect(lastRenamedAt(stateOf(...annAndBob, deleted(4), renamedTo(5, 'Eve', 'Ann')))).to.equal(at(5));
  });

  it('keeps who gave an unchanged name, and the provider flag, through another analysis', () => {
    const again = (name: string): AudioEvent => analysedAudio([speaker(1, name)], 'completed', { analysis_id: 'next' });
    const named = [...annAndBob, renamedTo(5, 'Eve', 'Ann')];
    const whose = (...events: ReadonlyArray<AudioEvent>) => stateOf(...events).speakers.get(speakerId(1))?.named_by;
    expect(whose(...named, again('Eve'))).to.equal('person');
    expect(whose(...named, again('Zoe'))).to.equal('analysis');
    const supplied = analysedAudio([], 'completed', { provider_supplied: true });
    expect(stateOf(registeredAudio(), supplied, again('Ann')).provider_supplied).to.equal(true);
    expect(stateOf(...annAndBob, again('Ann')).provider_supplied).to.equal(false);
  });

  it('is empty without registration', () => {
    expect(theAudio.given(renamedTo(5, 'Eve', 'Ann')).state()).to.deep.equal(audio.initial);
  });
});

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
  const about = (event: AudioEvent) => audio.about?.(theAudio.given(registeredAudio()).state(), event, erase);

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
