import { type AudioEvent, type RecordedSpeaker, audioEvents } from '../domain/audio/events.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import { type RecordedEvent, isEventOf, streamId } from '../domain/kernel/recorded-event.js';
import type { SpeakerId } from '../domain/kernel/ids.js';
import { isRenumbering } from '../domain/kernel/renumbering.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import type { Projection } from './tables.js';
import type { AudioRow, OwnAudioRecord } from './views.js';

type Recorded<Type extends AudioEvent['type']> = Extract<AudioEvent, { type: Type }>['data'];
type Speakers = OwnAudioRecord['speakers'];
/** All events except the erasure. */
type ContentEvent = Exclude<AudioEvent, { type: 'MediumErased' }>;

const registered = (data: Recorded<'AudioRegistered'>, at: Timestamp): OwnAudioRecord => ({
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

const shownSpeaker = ({ speaker_id, name, role, synthetic, deal_person_id }: RecordedSpeaker): RecordedSpeaker => ({
  speaker_id,
  name,
  role,
  synthetic,
  deal_person_id,
});

const withAttributes = (speakers: Speakers, changes: ReadonlyMap<SpeakerId, Partial<RecordedSpeaker>>): Speakers =>
  speakers.map((speaker) => shownSpeaker({ ...speaker, ...changes.get(speaker.speaker_id) }));

const without = (speakers: Speakers, gone: SpeakerId): Speakers =>
  speakers.filter(({ speaker_id }) => speaker_id !== gone);

const withNames = (
  speakers: Speakers,
  renamed: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: string }>,
): Speakers => withAttributes(speakers, new Map(renamed.map(({ speaker_id, name }) => [speaker_id, { name }])));

const reverted = (record: OwnAudioRecord, { speakers, title }: Recorded<'AudioChangeReverted'>): OwnAudioRecord => {
  const changes = speakers.map(({ speaker_id, name, role, deal_person_id }): [SpeakerId, Partial<RecordedSpeaker>] => [
    speaker_id,
    {
      ...(name === null ? {} : { name: name.after.name }),
      ...(role === null ? {} : { role: role.after.role }),
      ...(deal_person_id === null ? {} : { deal_person_id: deal_person_id.after }),
    },
  ]);
  return {
    ...record,
    title: title === null ? record.title : title.after,
    speakers: withAttributes(record.speakers, new Map(changes)),
  };
};

const inferred = (record: OwnAudioRecord, data: Recorded<'NamesInferred'>): OwnAudioRecord => {
  const { run_id, at, by, target_speaker_ids, results, renamed, roles } = data;
  const named = new Map(renamed.map(({ speaker_id, name, deal_person_id }) => [speaker_id, { name, deal_person_id }]));
  const given = new Map(roles.map(({ speaker_id, role }) => [speaker_id, { role }]));
  return {
    ...record,
    speakers: withAttributes(withAttributes(record.speakers, named), given),
    manual_name_inference_runs: [...record.manual_name_inference_runs, { run_id, at, by, target_speaker_ids, results }],
  };
};

const changed = (record: OwnAudioRecord, event: ContentEvent): OwnAudioRecord => {
  const { speakers } = record;
  switch (event.type) {
    case 'AudioRegistered':
      return registered(event.data, record.created_at);
    case 'AudioAttached':
      return { ...record, video_id: event.data.video_id };
    case 'AudioDetached':
      return {
        ...record,
        video_id: null,
        title: event.data.title === undefined ? record.title : event.data.title,
        speakers: event.data.speakers?.map(shownSpeaker) ?? speakers,
      };
    case 'AudioAnalysisRecorded':
      return {
        ...record,
        status: event.data.status,
        speakers: event.data.speakers.map(shownSpeaker),
        transcript_available: event.data.keeps.transcript
          ? record.transcript_available
          : event.data.transcript !== null,
        provider_supplied: record.provider_supplied || event.data.provider_supplied,
        speech_segments: event.data.speech_segments,
      };
    case 'TranscriptReplaced':
      return { ...record, transcript_available: event.data.transcript !== null, transcript_replaced: true };
    case 'SpeakersRenamed':
      return { ...record, speakers: withNames(speakers, event.data.speakers) };
    case 'NamesInferred':
      return inferred(record, event.data);
    case 'SpeakerRolesSet': {
      const roles = new Map(event.data.speakers.map(({ speaker_id, role }) => [speaker_id, { role }]));
      return { ...record, speakers: withAttributes(speakers, roles) };
    }
    case 'SpeakersMerged': {
      const { from, renamed } = event.data;
      return { ...record, speakers: withNames(without(speakers, from), renamed === null ? [] : [renamed]) };
    }
    case 'SpeakerDeleted':
      return { ...record, speakers: without(speakers, event.data.removed.speaker_id) };
    case 'AudioDetailsChanged':
      return { ...record, title: event.data.title.after };
    case 'AudioChangeReverted':
      return reverted(record, event.data);
  }
};

const next = (
  view: AudioRow | undefined,
  event: ContentEvent,
  revision: number,
  recorded_at: Timestamp,
): AudioRow | null => {
  if (event.type === 'AudioRegistered')
    return { record: registered(event.data, recorded_at), revision, inferred_at: null, renumberings: [] };
  if (view === undefined) return null;
  const record = { ...changed(view.record, event), updated_at: recorded_at };
  if (event.type !== 'AudioAnalysisRecorded' || !isRenumbering(event.data)) return { ...view, record, revision };
  const { renumbered, discontinued } = event.data;
  return { ...view, record, revision, renumberings: [...view.renumberings, { revision, renumbered, discontinued }] };
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
    const known = revision === 0 ? undefined : rows.audios.get(streamId(stream));
    const view = next(known, event, revision, metadata.recorded_at);
    if (view !== null) rows.audios.put(view);
  },
};
