import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { type RecordedEvent, streamId } from '../../../domain/kernel/recorded-event.js';
import { typeName } from '../../event-selection.js';
import type { Rows } from '../../tables.js';
import { type ExplainedSubject, causeOf, runOf } from '../explain.js';
import type { marts, MartRow } from './catalogue.js';

type MatchRow = MartRow<typeof marts.matches>;
type NameRow = MartRow<typeof marts.names>;
type Recorded = RecordedEvent<DomainEvent>;

/** Changes of links and names by one event. */
export interface ChangeRows {
  readonly matches: ReadonlyArray<MatchRow>;
  readonly names: ReadonlyArray<NameRow>;
}

const none: ChangeRows = { matches: [], names: [] };

const origin = ({ position, event, metadata }: Recorded, subject: ExplainedSubject) => ({
  position,
  recorded_at: metadata.recorded_at,
  event_type: typeName(event.type),
  cause: causeOf(event, subject),
  account_id: metadata.actor.account_id,
  key_id: metadata.actor.key_id,
  request_id: metadata.correlation_id,
  run_id: runOf(event),
});

interface Subject {
  readonly id: number;
  readonly name: string | null;
  readonly speaker_id: number | null;
  readonly accuracy: number | null;
}

type Subjects = ReadonlyMap<number, Subject>;

const facesIn = (rows: Rows, video_id: string): Subjects =>
  new Map(rows.videos.get(video_id)?.record.faces.map((face) => [face.id, face]));

const speakersIn = (rows: Rows, audio_id: string): Subjects =>
  new Map(
    rows.audios
      .get(audio_id)
      ?.record.speakers.map(({ speaker_id, name }) => [
        speaker_id,
        { id: speaker_id, name, speaker_id: null, accuracy: null },
      ]),
  );

const changesOf = (before: Subjects, after: Subjects, record: 'face' | 'speaker', recorded: Recorded): ChangeRows => {
  const medium_id = streamId(recorded.stream);
  const matches: Array<MatchRow> = [];
  const names: Array<NameRow> = [];
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [old, young] = [before.get(id), after.get(id)];
    const subject = { record, id, speaker_id: young?.speaker_id ?? null };
    const link = {
      speaker_id_before: old?.speaker_id ?? null,
      speaker_id_after: young?.speaker_id ?? null,
      accuracy_before: old?.accuracy ?? null,
      accuracy_after: young?.accuracy ?? null,
    };
    if (link.speaker_id_before !== link.speaker_id_after)
      matches.push({ ...origin(recorded, subject), video_id: medium_id, face_id: id, ...link });
    const name = { name_before: old?.name ?? null, name_after: young?.name ?? null };
    if (name.name_before !== name.name_after)
      names.push({ ...origin(recorded, subject), record, medium_id, subject_id: id, ...name });
  }
  return { matches, names };
};

/** The changes of an event. `project` must apply it to the rows. */
export const changeRows = (rows: Rows, recorded: Recorded, project: () => void): ChangeRows => {
  const id = streamId(recorded.stream);
  const isVideo = recorded.stream.startsWith('video-');
  if (!isVideo && !recorded.stream.startsWith('audio-')) {
    project();
    return none;
  }
  const subjects = isVideo ? facesIn : speakersIn;
  const before = subjects(rows, id);
  project();
  return changesOf(before, subjects(rows, id), isVideo ? 'face' : 'speaker', recorded);
};
