import type { AudioChanges } from '../domain/audio/changes.js';
import { type AudioEvent, audioEvents, recordedSpeaker } from '../domain/audio/events.js';
import { audioChangesOf, renamedSpeaker } from '../domain/audio/reversible-changes.js';
import type { DataOf, DomainEvent } from '../domain/event-catalogue.js';
import { type RecordedEvent, isEventOf, lastUse, streamId } from '../domain/kernel/recorded-event.js';
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

/** The record after edits. Of a speaker's edit counts what the record shows; unknown ids are ignored. */
const edited = (record: OwnAudioRecord, { speakers, title }: AudioChanges): OwnAudioRecord => {
  const edits = new Map(speakers.map((edit) => [edit.speaker_id, edit]));
  return {
    ...record,
    title: title === null ? record.title : title.after,
    speakers: record.speakers.map((speaker) => {
      const { name, role, deal_person_id } = edits.get(speaker.speaker_id) ?? {};
      const person = deal_person_id ? { deal_person_id: deal_person_id.after } : {};
      return recordedSpeaker({ ...speaker, ...name?.after, ...role?.after, ...person });
    }),
  };
};

const without = (speakers: Speakers, gone: SpeakerId): Speakers =>
  speakers.filter(({ speaker_id }) => speaker_id !== gone);

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
    case 'AudioDetailsChanged':
    case 'AudioChangeReverted':
      return edited(record, audioChangesOf([event]));
    case 'NamesInferred': {
      const { run_id, at, by, target_speaker_ids, results } = event.data;
      const runs = [...record.manual_name_inference_runs, { run_id, at, by, target_speaker_ids, results }];
      return { ...edited(record, audioChangesOf([event])), manual_name_inference_runs: runs };
    }
    case 'SpeakersMerged': {
      const { from, renamed } = event.data;
      const merged = { ...record, speakers: without(speakers, from) };
      return renamed === null ? merged : edited(merged, { speakers: [renamedSpeaker(renamed)], title: null });
    }
    case 'SpeakerDeleted':
      return { ...record, speakers: without(speakers, event.data.removed.speaker_id) };
  }
};

const next = (row: AudioRow, event: ContentEvent, revision: number, updated_at: Timestamp): AudioRow => {
  const record = { ...changed(row.record, event), updated_at };
  if (event.type !== 'AudioAnalysisRecorded' || !isRenumbering(event.data)) return { ...row, record, revision };
  const { renumbered, discontinued } = event.data;
  return { ...row, record, revision, renumberings: [...row.renumberings, { revision, renumbered, discontinued }] };
};

const isAudioEvent = isEventOf(audioEvents);

/** The audio record of each audio stream (specification, section 2.2), and when names were last inferred for it. */
export const audios: Projection = {
  name: 'audios',
  version: 8,
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
    if (event.type === 'AudioRegistered') {
      const record = registered(event.data, metadata.recorded_at);
      return rows.audios.put({ record, revision, inferred_at: null, renumberings: [] });
    }
    const row = revision === 0 ? undefined : rows.audios.get(streamId(stream));
    if (row !== undefined) rows.audios.put(next(row, event, revision, lastUse(metadata, row.record.updated_at)));
  },
};
