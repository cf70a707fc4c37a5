import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RegisteredAudio, WithdrawnSpeaker } from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { SpeakerId, VideoId } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { FaceChange } from '../../domain/video/face.js';
import { type StandingName, partedNames } from '../../domain/video/parted-names.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Application } from '../application.js';
import type { Failure } from '../failures.js';
import type { Folded } from '../stream-cache.js';
import type { FollowUp } from './follow-ups.js';

const linked = (...changes: ReadonlyArray<FaceChange>): ReadonlyArray<SpeakerId> =>
  changes.flatMap(({ after: { speaker_id } }) => (speaker_id === null ? [] : [speaker_id]));

const named = (speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>): ReadonlyArray<SpeakerId> =>
  speakers.map(({ speaker_id }) => speaker_id);

/** The speakers whose names, or whose faces, an event changed. */
export const speakersOf = (event: DomainEvent): ReadonlyArray<SpeakerId> => {
  switch (event.type) {
    case 'FacesMatched':
      return [...linked(...event.data.changes), ...named(event.data.speakers)];
    case 'MatchesCommitted':
      return linked(...event.data.replaced, ...event.data.changes);
    case 'MatchRunFailed':
      return linked(...event.data.replaced);
    case 'MatchRunReverted':
    case 'SpeakerWithdrawn':
      return linked(...event.data.changes);
    case 'SpeakersRenamed':
      return event.data.cause.kind === 'request' ? named(event.data.speakers) : [];
    case 'NamesInferred':
      return named(event.data.renamed);
    default:
      return [];
  }
};

/** Names of one date together, in the order of the dates. */
const byDate = (names: ReadonlyArray<StandingName>): ReadonlyArray<readonly [Timestamp, ReadonlyArray<StandingName>]> =>
  [...new Set(names.map(({ at }) => at))].sort().map((at) => [at, names.filter((name) => name.at === at)]);

/** What withdrew a speaker, as far as the audio remembers. */
const withdrawalOf = (
  { turns, transcript }: RegisteredAudio['withdrawn'],
  gone: SpeakerId,
): WithdrawnSpeaker | null => {
  const isIt = ({ speaker_id }: WithdrawnSpeaker): boolean => speaker_id === gone;
  return turns.findLast(isIt) ?? transcript.findLast(isIt) ?? null;
};

/** What brings the names, and the faces, of these speakers back together, as both records stand. */
export const rejoined = (
  speaker_ids: ReadonlyArray<SpeakerId>,
  { state: video, revision: video_revision }: Folded<RegisteredVideo>,
  { state: audio, revision: audio_revision }: Folded<RegisteredAudio>,
): ReadonlyArray<FollowUp> => {
  const { video_id } = video;
  const { audio_id } = audio;
  const { for_faces, for_speakers, gone } = partedNames(video.faces.values(), audio.speakers, new Set(speaker_ids));
  return [
    ...gone.flatMap((speaker_id): ReadonlyArray<FollowUp> => {
      const withdrawal = withdrawalOf(audio.withdrawn, speaker_id);
      return withdrawal === null
        ? []
        : [{ to: 'video', id: video_id, command: { type: 'WithdrawSpeaker', ...withdrawal } }];
    }),
    ...byDate(for_faces).map(([date, speakers]): FollowUp => ({
      to: 'video',
      id: video_id,
      command: { type: 'FollowSpeakerNames', audio_id, audio_revision, speakers, current: true, at: date },
    })),
    ...byDate(for_speakers).map(([date, speakers]): FollowUp => ({
      to: 'audio',
      id: audio_id,
      command: { type: 'FollowFaceMatch', video_id, video_revision, speakers, at: date },
    })),
  ];
};

/**
 * Changes of a video and of its audio that did not know of each other may leave a face and its speaker with two names.
 * Each of them asks for it afterwards, when it is in the log: so the last of them sees it.
 */
export const rejoinings = (
  app: Application,
  { event, stream }: RecordedEvent<DomainEvent>,
  parent: VideoId | null,
): TE.TaskEither<Failure, ReadonlyArray<FollowUp>> => {
  const speaker_ids = speakersOf(event);
  const video_id = stream.startsWith('video-') ? stream.slice('video-'.length) : parent;
  if (speaker_ids.length === 0 || video_id === null) return TE.right([]);
  return pipe(
    app.videos.load(video_id),
    TE.chain(({ state: video, revision }) =>
      video._tag === 'Unregistered' || video.audio_id === null
        ? TE.right([])
        : pipe(
            app.audios.load(video.audio_id),
            TE.map(({ state: audio, revision: audio_revision }) =>
              audio._tag === 'Unregistered'
                ? []
                : rejoined(speaker_ids, { state: video, revision }, { state: audio, revision: audio_revision }),
            ),
          ),
    ),
  );
};
