import type { CardContext } from './link-card.js';
import { Rename } from '../name-field.js';
import { SeenAt } from './link-evidence.js';
import { positionOf } from './use-video.js';

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
              positionOf(client.faces.rename(video_id, [{ face_id: id, name: wanted }], options)),
            )
          }
        />
      </li>
    ))}
  </ul>
);
