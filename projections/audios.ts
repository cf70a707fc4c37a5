import { type AudioEvent, type RecordedSpeaker, audioEvents, recordedSpeaker } from '../domain/audio/events.js';
import type { DataOf, DomainEvent } from '../domain/event-catalogue.js';
import { type RecordedEvent, isEventOf, streamId } from '../domain/kernel/recorded-event.js';
import type { SpeakerId } from '../domain/kernel/ids.js';
import { isRenumbering } from '../domain/kernel/renumbering.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import type { Projection } from './tables.js';
import type { AudioRow, OwnAudioRecord } from './views.js';

type Speakers = OwnAudioRecord['speakers'];
/** All events except the registration and the erasure. */
type ContentEvent = Exclude<AudioEvent, { type: 'AudioRegistered' | 'MediumErased' }>;

const registered = (data: DataOf<'AudioRegistered'>, at: Timestamp): OwnAudioRecord => ({
  audio_id: data.audio_id,
  owner_id: data.owner_id,
  title: data.title,
  status: 'queue',
  kind: data.kind,
  video_id: data.video_id,
  speakers: [],
  transcript_available: false,
  provider_supplied: false,
  transcript_replaced: false,
  speech_segments: null,
  manual_name_inference_runs: [],
  created_at: at,
  updated_at: at,
});

/** Gives speakers other attributes. Of a change counts what the record shows. */
const withAttributes = (
  speakers: Speakers,
  changes: ReadonlyArray<Pick<RecordedSpeaker, 'speaker_id'> & Partial<RecordedSpeaker>>,
): Speakers => {
  const changed = new Map(changes.map((change) => [change.speaker_id, change]));
  return speakers.map((speaker) => recordedSpeaker({ ...speaker, ...changed.get(speaker.speaker_id) }));
};

const without = (speakers: Speakers, gone: SpeakerId): Speakers =>
  speakers.filter(({ speaker_id }) => speaker_id !== gone);

const reverted = (record: OwnAudioRecord, { speakers, title }: DataOf<'AudioChangeReverted'>): OwnAudioRecord => {
  const changes = speakers.map(({ speaker_id, name, role, deal_person_id }) => ({
    speaker_id,
    ...(name === null ? {} : { name: name.after.name }),
    ...(role === null ? {} : { role: role.after.role }),
    ...(deal_person_id === null ? {} : { deal_person_id: deal_person_id.after }),
  }));
  return {
    ...record,
    title: title === null ? record.title : title.after,
    speakers: withAttributes(record.speakers, changes),
  };
};

const inferred = (record: OwnAudioRecord, data: DataOf<'NamesInferred'>): OwnAudioRecord => {
  const { run_id, at, by, target_speaker_ids, results, renamed, roles } = data;
  return {
    ...record,
    speakers: withAttributes(withAttributes(record.speakers, renamed), roles),
    manual_name_inference_runs: [...record.manual_name_inference_runs, { run_id, at, by, target_speaker_ids, results }],
  };
};

const changed = (record: OwnAudioRecord, event: ContentEvent): OwnAudioRecord => {
  const { speakers } = record;
  switch (event.type) {
    case 'AudioAttached':
      return { ...record, video_id: event.data.video_id };
    case 'AudioDetached':
      return {
        ...record,
        video_id: null,
        title: event.data.title === undefined ? record.title : event.data.title,
        speakers: event.data.speakers?.map(recordedSpeaker) ?? speakers,
      };
    case 'AudioAnalysisRecorded':
      return {
        ...record,
        status: event.data.status,
        speakers: event.data.speakers.map(recordedSpeaker),
        transcript_available: event.data.keeps.transcript
          ? record.transcript_available
          : event.data.transcript !== null,
        provider_supplied: record.provider_supplied || event.data.provider_supplied,
        speech_segments: event.data.speech_segments,
      };
    case 'TranscriptReplaced':
      return { ...record, transcript_available: event.data.transcript !== null, transcript_replaced: true };
    case 'SpeakersRenamed':
    case 'SpeakerRolesSet':
      return { ...record, speakers: withAttributes(speakers, event.data.speakers) };
    case 'NamesInferred':
      return inferred(record, event.data);
    case 'SpeakersMerged': {
      const { from, renamed } = event.data;
      return { ...record, speakers: withAttributes(without(speakers, from), renamed === null ? [] : [renamed]) };
    }
    case 'SpeakerDeleted':
      return { ...record, speakers: without(speakers, event.data.removed.speaker_id) };
    case 'AudioDetailsChanged':
      return { ...record, title: event.data.title.after };
    case 'AudioChangeReverted':
      return reverted(record, event.data);
  }
};

const next = (row: AudioRow, event: ContentEvent, revision: number, recorded_at: Timestamp): AudioRow => {
  const record = { ...changed(row.record, event), updated_at: recorded_at };
  if (event.type !== 'AudioAnalysisRecorded' || !isRenumbering(event.data)) return { ...row, record, revision };
  const { renumbered, discontinued } = event.data;
  return { ...row, record, revision, renumberings: [...row.renumberings, { revision, renumbered, discontinued }] };
};

const isAudioEvent = isEventOf(audioEvents);

/** The audio record of each audio stream (specification, section 2.2), and when names were last inferred for it. */
export const audios: Projection = {
  name: 'audios',
  version: 7,
  categories: ['audio', 'nameInference'],
  tables: ['audios'],
  project: (rows, { event, stream, revision, metadata }: RecordedEvent<DomainEvent>) => {
    if (event.type === 'NameInferenceRequested' || event.type === 'NameInferenceAnswered') {
      const view = rows.audios.get(event.data.audio_id);
      if (view !== undefined) rows.audios.put({ ...view, inferred_at: metadata.recorded_at });
      return;
    }
    if (!isAudioEvent(event) || !stream.startsWith('audio-')) return;
    if (event.type === 'MediumErased') return rows.audios.delete(streamId(stream));
    const at = metadata.recorded_at;
    if (event.type === 'AudioRegistered')
      return rows.audios.put({ record: registered(event.data, at), revision, inferred_at: null, renumberings: [] });
    const row = revision === 0 ? undefined : rows.audios.get(streamId(stream));
    if (row !== undefined) rows.audios.put(next(row, event, revision, at));
  },
};
