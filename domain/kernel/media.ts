import * as t from 'io-ts';
import { AccountId } from './ids.js';
import { nullable } from './recorded-event.js';

export const ProcessingStatus = t.keyof(
  { queue: null, processing: null, completed: null, failed: null },
  'ProcessingStatus',
);
export type ProcessingStatus = t.TypeOf<typeof ProcessingStatus>;

export const MediaKind = t.keyof({ upload: null, meeting: null }, 'MediaKind');
export type MediaKind = t.TypeOf<typeof MediaKind>;

/** The fields of an event that registers a video or an audio. */
export const registration = { owner_id: AccountId, title: nullable(t.string), kind: MediaKind };

/** What a speaker is in a service call. */
export const SpeakerRole = t.keyof({ agent: null, customer: null }, 'SpeakerRole');
export type SpeakerRole = t.TypeOf<typeof SpeakerRole>;

/** Position of large data in a stream of its own. */
export const Chunks = t.type({ first_revision: t.number, parts: t.number }, 'Chunks');
export type Chunks = t.TypeOf<typeof Chunks>;

/** Whether the speakers of an audio are known. Before that, no speaker id can be rejected as unknown. */
export const areSpeakersKnown = (status: ProcessingStatus, speakers: number): boolean =>
  status === 'completed' || speakers > 0;
