import type { AudioRecord, SuggestedMapping, VideoRecord } from '../../client/index.js';
import { Rename } from '../fields.js';
import { measure, percent, time } from '../format.js';
import { fieldOf } from '../json.js';
import { useClient } from '../session.js';
import { Button } from '../ui.js';
import { speakerName } from './lanes.js';
import { useRecording } from './use-records.js';

const inSeconds: Readonly<Record<string, string>> = {
  seconds_together: 'seen while talking',
  seconds_apart: 'seen while silent',
  seconds_speaking: 'of speech',
  seconds_visible: 'visible',
};

const runnerUpOf = ({ evidence }: SuggestedMapping) => {
  const [face_id, accuracy] = ['face_id', 'accuracy'].map((name) => fieldOf(evidence['runner_up'], name));
  return typeof face_id === 'number' && typeof accuracy === 'number' ? { face_id, accuracy } : null;
};

/** Sound and picture that are shifted against each other. */
const shiftIn = ({ evidence: { time_offset } }: SuggestedMapping): ReadonlyArray<string> =>
  typeof time_offset !== 'number' || time_offset === 0
    ? []
    : [`sound and picture ${measure(Math.abs(time_offset))} s apart`];

/** How sure a suggestion is, why, and the second choice. */
export const LinkEvidence = ({ mapping }: { readonly mapping: SuggestedMapping }) => {
  const { nameOf } = useRecording();
  const runnerUp = runnerUpOf(mapping);
  const facts = Object.entries(mapping.evidence).flatMap(([field, value]) => {
    const label = inSeconds[field];
    return typeof value === 'number' && label !== undefined && value !== 0 ? [`${measure(value)} s ${label}`] : [];
  });
  return (
    <>
      <p class="quiet">
        {mapping.accuracy !== null && <strong>{percent(mapping.accuracy)} sure. </strong>}
        {mapping.channel === 'name' ? 'The names agree' : 'Seen and heard together'}
        {facts.length > 0 && `: ${[...facts, ...shiftIn(mapping)].join(', ')}`}
      </p>
      {runnerUp !== null && (
        <p class="quiet">
          Second choice: {nameOf(runnerUp.face_id)}, {percent(runnerUp.accuracy)}
        </p>
      )}
    </>
  );
};

/** When a face is seen, as buttons that play it; without them if there is nothing to play. */
export const SeenAt = ({
  name,
  sightings,
  onPlay,
}: {
  readonly name: string;
  readonly sightings: ReadonlyArray<{ readonly start: number }> | null;
  readonly onPlay: ((seconds: number) => void) | null;
}) => (
  <p class="quiet">
    {name}
    {sightings !== null && (sightings.length === 0 ? ' is never seen' : ' is seen at')}
    {sightings?.map(({ start }) => (
      <span key={start}>
        {' '}
        {onPlay === null ? (
          time(start)
        ) : (
          <Button
            text={time(start)}
            kind="link"
            label={`Play ${name} at ${time(start)}`}
            onPress={() => onPlay(start)}
          />
        )}
      </span>
    ))}
  </p>
);

/** A button to name a speaker of an audio. */
export const RenameSpeaker = ({
  audio_id,
  speaker_id,
  name,
}: {
  readonly audio_id: string;
  readonly speaker_id: number;
  readonly name: string;
}) => {
  const client = useClient();
  const { write } = useRecording();
  return (
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
};

/** The speakers of an audio without a video, each with a button to go to where it speaks, and one to name it. */
export const Speakers = ({ audio_id, speakers }: AudioRecord) => {
  const { playSpeaker } = useRecording();
  return (
    <ul class="names">
      {speakers
        .filter(({ synthetic }) => !synthetic)
        .map(({ speaker_id, name: given }) => {
          const name = speakerName(speaker_id, given);
          return (
            <li key={speaker_id} class="actions">
              <Button text={name} kind="link" onPress={() => playSpeaker(speaker_id)} />
              <RenameSpeaker audio_id={audio_id} speaker_id={speaker_id} name={name} />
            </li>
          );
        })}
    </ul>
  );
};

/** All faces: when each is seen, and a button to name it. */
export const Faces = ({ video_id, faces }: VideoRecord) => {
  const client = useClient();
  const { write, nameOf, sightings, play } = useRecording();
  return (
    <ul class="names">
      {faces.map(({ id, name }) => (
        <li key={id} class="actions">
          <SeenAt name={nameOf(id)} sightings={sightings(id)} onPlay={play} />
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
};
