import type { FollowUp } from '../../../application/processes/follow-ups.js';
import { followUps } from '../../../application/processes/follow-ups.js';
import { concernOf, isAgreed, rejoined } from '../../../application/processes/rejoin-names.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../../domain/kernel/recorded-event.js';
import { type Timestamp, laterThan } from '../../../domain/kernel/timestamp.js';
import { faceId, personName, runId, speakerId, videoId } from '../values.js';
import type { Records } from './records.js';

type Recorded = RecordedEvent<DomainEvent>;

/** Something at work: between two steps anything else may happen. */
export type Steps = Generator<undefined, void, undefined>;

export type Request =
  | { readonly do: 'rename'; readonly speaker: number; readonly name: string }
  | { readonly do: 'match'; readonly face: number; readonly speaker: number; readonly name: string | null }
  | { readonly do: 'name face'; readonly face: number; readonly name: string }
  | { readonly do: 'write back'; readonly face: number; readonly speaker: number }
  | { readonly do: 'merge'; readonly from: number; readonly into: number }
  | { readonly do: 'delete'; readonly speaker: number };

const give = (records: Records, followUp: FollowUp): ReadonlyArray<Recorded> => {
  if (followUp.to === 'video') return records.toVideo(followUp.command);
  return followUp.to === 'audio' ? records.toAudio(followUp.command) : [];
};

/** What `settle` does, step by step. */
export function* settling(records: Records, event: Recorded): Steps {
  for (const followUp of followUps(event, videoId('v'))) {
    yield;
    for (const next of give(records, followUp)) yield* settling(records, next);
  }
  const concern = concernOf(event.event);
  if (concern === null) return;
  yield;
  const audio = records.audio();
  if (isAgreed(concern, audio.state)) return;
  yield;
  for (const followUp of rejoined(concern, records.video(), audio, event.metadata.recorded_at)) {
    yield;
    for (const next of give(records, followUp)) yield* settling(records, next);
  }
}

/** What the use cases do: first look at the other record, then decide. */
function* decided(records: Records, request: Request, at: Timestamp): Generator<undefined, ReadonlyArray<Recorded>> {
  const { toVideo, toAudio } = records;
  yield;
  switch (request.do) {
    case 'rename': {
      const later = laterThan(
        at,
        [...records.video().state.faces.values()].map(({ named_at }) => named_at),
      );
      yield;
      const speakers = [{ speaker_id: speakerId(request.speaker), name: personName(request.name) }];
      return toAudio({ type: 'RenameSpeakers', speakers, at: later });
    }
    case 'match': {
      const audio = records.facts();
      yield;
      const { face, speaker, name } = request;
      return toVideo({
        type: 'MatchFaces',
        mappings: [{ face_id: faceId(face), speaker_id: speakerId(speaker), name }],
        audio,
        at,
      });
    }
    case 'write back': {
      const audio = records.facts();
      yield;
      const match = { face_id: faceId(request.face), speaker_id: speakerId(request.speaker), accuracy: 0.9 };
      return toVideo({
        type: 'ReceiveWriteBack',
        run_id: runId('run'),
        unattributed_run_id: runId('other'),
        answer: {
          status: 'completed',
          matches: [{ ...match, channel: 'co_occurrence', evidence: {} }],
          unmatched_speakers: [],
        },
        audio,
        stale_seconds: 900,
        at,
      });
    }
    case 'name face':
      return toVideo({
        type: 'RenameFaces',
        faces: [{ face_id: faceId(request.face), name: personName(request.name) }],
        at,
      });
    case 'merge':
      return toAudio({ type: 'MergeSpeakers', from: speakerId(request.from), into: speakerId(request.into), at });
    case 'delete':
      return toAudio({ type: 'DeleteSpeaker', speaker_id: speakerId(request.speaker), at });
  }
}

/** A request from its first look to its answer. */
export function* serving(records: Records, request: Request, at: Timestamp): Steps {
  for (const event of yield* decided(records, request, at)) yield* settling(records, event);
}

/** The process that settles every event of the log, in its order. */
export function* following(records: Records): Steps {
  for (let next = 0; ; next += 1) {
    for (let event = records.log[next]; event === undefined; event = records.log[next]) yield;
    const event = records.log[next];
    if (event !== undefined) yield* settling(records, event);
  }
}
