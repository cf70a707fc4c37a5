import { audios } from '../../../projections/audios.js';
import { memoryRows } from '../../../projections/tables.js';
import { videos } from '../../../projections/videos.js';
import type { Acknowledged, Promised } from './clients.js';
import type { Recorded, WholeLog } from './log.js';

/** The record right after one of a stream's events. */
const recordAfter = (events: ReadonlyArray<Recorded>, revision: number, kind: 'video' | 'audio', id: string) => {
  const rows = memoryRows();
  const projection = kind === 'video' ? videos : audios;
  events.slice(0, revision + 1).forEach((event) => projection.project(rows, event));
  return { video: rows.videos.get(id)?.record, audio: rows.audios.get(id)?.record };
};

/** Whether the log contains what the answer to a request promised. */
const isKept = (log: WholeLog, request_id: string, promised: Promised): boolean => {
  const caused = (stream: string): ReadonlyArray<Recorded> =>
    (log.streams[stream] ?? []).filter(({ metadata }) => metadata.correlation_id === request_id);
  switch (promised.kind) {
    case 'written':
      return true;
    case 'linked': {
      const video = log.videos.get(promised.video_id);
      const audio = log.audios.get(promised.audio_id);
      return video?._tag === 'Registered' && audio?._tag === 'Registered' && video.audio_id === promised.audio_id;
    }
    case 'run':
      return caused(`video-${promised.video_id}`).some(
        ({ event }) => event.type === 'MatchRunQueued' && event.data.run_id === promised.run_id,
      );
    case 'speaker': {
      const stream = `audio-${promised.audio_id}`;
      const first = caused(stream)[0];
      if (first === undefined) return false;
      const { audio } = recordAfter(log.streams[stream] ?? [], first.revision, 'audio', promised.audio_id);
      const speaker = audio?.speakers.find(({ speaker_id }) => speaker_id === promised.speaker_id);
      return speaker?.name === promised.name;
    }
    case 'faces': {
      const stream = `video-${promised.video_id}`;
      // A match first takes over the speakers that a new analysis has renumbered.
      const first = caused(stream).find(({ event }) => event.type !== 'SpeakersRenumbered');
      if (first === undefined) return false;
      const { video } = recordAfter(log.streams[stream] ?? [], first.revision, 'video', promised.video_id);
      return promised.faces.every(({ id, name, speaker_id }) => {
        const face = video?.faces.find((shown) => shown.id === id);
        return (
          face !== undefined &&
          (name === undefined || face.name === name) &&
          (speaker_id === undefined || face.speaker_id === speaker_id)
        );
      });
    }
  }
};

/** Acknowledged requests that are missing in the log, differ from their answer, or are in another order than the answers. */
export const lostRequests = (log: WholeLog, acknowledged: ReadonlyArray<Acknowledged>): ReadonlyArray<string> => {
  const firsts = new Map(log.events.toReversed().map(({ position, metadata }) => [metadata.correlation_id, position]));
  const last = new Map<number, string>();
  return acknowledged.flatMap(({ client, request_id, position, promised }) => {
    const inOrder = (last.get(client) ?? '') < position;
    last.set(client, position);
    const first = firsts.get(request_id);
    if (first === undefined || first > position) return [`${request_id} at ${position} is lost`];
    if (!inOrder) return [`${request_id} at ${position} is out of order`];
    return isKept(log, request_id, promised) ? [] : [`${request_id} is not kept: ${JSON.stringify(promised)}`];
  });
};
