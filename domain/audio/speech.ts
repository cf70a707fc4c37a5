import * as t from 'io-ts';
import type { EventOf } from '../kernel/recorded-event.js';
import { AudioId, SpeakerId } from '../kernel/ids.js';
import { Interval } from '../kernel/interval.js';

/** A time interval in which a speaker talks. */
export const SpeakerTurn = t.intersection([t.type({ speaker_id: SpeakerId }), Interval], 'SpeakerTurn');
export type SpeakerTurn = t.TypeOf<typeof SpeakerTurn>;

/** What a speaker says in a time interval. */
export const Utterance = t.intersection([t.type({ speaker_id: SpeakerId, text: t.string }), Interval], 'Utterance');
export type Utterance = t.TypeOf<typeof Utterance>;

const part = { audio_id: AudioId, part: t.number, parts: t.number };

/** Events of the audio's `speakerTurns` and `transcript` streams: large evidence data, split into parts. */
export const speechEvents = {
  SpeakerTurnsRecorded: t.type({ ...part, analysis_id: t.string, turns: t.readonlyArray(SpeakerTurn) }),
  TranscriptRecorded: t.type({ ...part, transcript_id: t.string, utterances: t.readonlyArray(Utterance) }),
} as const;
export type SpeechEvent = EventOf<typeof speechEvents>;
