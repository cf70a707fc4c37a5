import type { AudioRecord, Interval, MediaAnalysis, VideoRecord } from '../../client/index.js';
import { Rename } from '../name-field.js';
import { speakerName } from './lanes.js';
import { SeenAt } from './link-evidence.js';
import type { Records } from './use-records.js';

/** What the parts of a page share that show faces and speakers. */
export interface CardContext {
  readonly client: MediaAnalysis;
  readonly video: VideoRecord;
  readonly audio_id: string;
  readonly write: Records['write'];
  readonly nameOf: (face_id: number) => string;
  /** When a face is seen; null while that is not known. */
  readonly sightings: (face_id: number, speaker_id?: number) => ReadonlyArray<Interval> | null;
  readonly onPlay: (seconds: number) => void;
  /** Shows a speaker on the timeline. */
  readonly onLook: (speaker_id: number) => void;
}

/** A button to name a speaker. */
export const RenameSpeaker = ({
  client,
  audio_id,
  speaker_id,
  name,
  write,
}: {
  readonly client: MediaAnalysis;
  readonly audio_id: string;
  readonly speaker_id: number;
  readonly name: string;
  readonly write: Records['write'];
}) => (
  <Rename
    subject={name}
    name={name}
    save={(wanted) =>
      write(
        `${name} is called ${wanted}`,
        (options) => client.speakers.rename(audio_id, [{ speaker_id, name: wanted }], options),
        'audio',
      )
    }
  />
);

/** The speakers of an audio without a video, each with a button to go to where it speaks, and one to name it. */
export const Speakers = ({
  client,
  audio: { audio_id, speakers },
  write,
  onLook,
}: Pick<CardContext, 'client' | 'write' | 'onLook'> & { readonly audio: AudioRecord }) => (
  <ul class="names">
    {speakers
      .filter(({ synthetic }) => !synthetic)
      .map(({ speaker_id, name: given }) => {
        const name = speakerName(speaker_id, given);
        return (
          <li key={speaker_id} class="actions">
            <button type="button" class="link" onClick={() => onLook(speaker_id)}>
              {name}
            </button>
            <RenameSpeaker client={client} audio_id={audio_id} speaker_id={speaker_id} name={name} write={write} />
          </li>
        );
      })}
  </ul>
);

type Props = Pick<CardContext, 'client' | 'video' | 'write' | 'nameOf' | 'sightings' | 'onPlay'>;

/** All faces: when each is seen, and a button to name it. */
export const Faces = ({ client, video: { video_id, faces }, write, nameOf, sightings, onPlay }: Props) => (
  <ul class="names">
    {faces.map(({ id, name }) => (
      <li key={id} class="actions">
        <SeenAt name={nameOf(id)} sightings={sightings(id)} onPlay={onPlay} />
        <Rename
          subject={nameOf(id)}
          name={name ?? ''}
          save={(wanted) =>
            write(`${nameOf(id)} is called ${wanted}`, (options) =>
              client.faces.rename(video_id, [{ face_id: id, name: wanted }], options),
            )
          }
        />
      </li>
    ))}
  </ul>
);
