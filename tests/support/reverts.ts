import { videoChangesOf } from '../../domain/video/reversible-changes.js';
import type { VideoCommand, RevertVideoChange } from '../../domain/video/contract.js';
import type { VideoEvent } from '../../domain/video/events.js';
import type { FaceAttributes, FaceChange } from '../../domain/video/changes.js';
import type { NamedBy } from '../../domain/kernel/names.js';
import { at, speakerId } from './values.js';
import { audioWith, facesMatched, renamedFaces, theVideo } from './video-events.js';

export const on = (
  speaker: number | null,
  name: string,
  parts: Partial<FaceAttributes> = {},
): Partial<FaceAttributes> => ({
  name,
  speaker_id: speaker === null ? null : speakerId(speaker),
  ...parts,
});
export const matched = (seconds: number, ...changes: ReadonlyArray<FaceChange>): VideoEvent =>
  facesMatched(seconds, changes);
export const renamed = (seconds: number, name: string, previous: string, before: NamedBy = 'analysis'): VideoEvent =>
  renamedFaces(seconds, [[1, name, previous, before]]);
const audio = audioWith([1, 'Ann'], [2, 'Bob'], [3, 'Cid']);

export const undo = (...events: ReadonlyArray<VideoEvent>): RevertVideoChange => ({
  type: 'RevertVideoChange',
  position: '7',
  change_id: 'first',
  changes: videoChangesOf(events),
  revision: 2,
  run_id: null,
  cause: { kind: 'request' },
  other: null,
  changed_since: [],
  audio,
  at: at(90),
});

/** What a revert restored, and what it reported as changed since. */
export const outcome = (given: ReadonlyArray<VideoEvent>, command: VideoCommand) => {
  const [event] = theVideo.given(...given).events(command);
  if (event?.type !== 'VideoChangeReverted') throw new Error('no revert');
  return event.data;
};
