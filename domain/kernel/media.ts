import * as t from 'io-ts';

export const ProcessingStatus = t.keyof(
  { queue: null, processing: null, completed: null, failed: null },
  'ProcessingStatus',
);
export type ProcessingStatus = t.TypeOf<typeof ProcessingStatus>;

export const MediaKind = t.keyof({ upload: null, meeting: null }, 'MediaKind');
export type MediaKind = t.TypeOf<typeof MediaKind>;

/** What a speaker is in a service call. */
export const SpeakerRole = t.keyof({ agent: null, customer: null }, 'SpeakerRole');
export type SpeakerRole = t.TypeOf<typeof SpeakerRole>;

/**
 * Whether an analysis has told who speaks in an audio: before that nobody can be said not to be in it, only that it is
 * not completed.
 */
export const isTold = (status: ProcessingStatus, speakers: number): boolean => status === 'completed' || speakers > 0;
