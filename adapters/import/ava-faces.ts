import { detached } from './fields.js';
import { type FaceParts, toFaces } from './faces.js';
import type { ImportedFaces } from './imported.js';
import { Sightings } from './sightings.js';
import { Tally } from './tally.js';

/** A row stands for one frame: at AVA's 25 frames a second, 0.04 s from its timestamp on. */
const frameSeconds = 0.04;

/** Frames at most this far apart belong to one stretch: some frames may be missing, as in the derived gold. */
const joinSeconds = 0.25;

/** AVA-AVD's speaker column says `01spk02` (clip 01, its RTTM's spk02), `01NA` for nobody heard, `-1` for no clip. */
export const unknownSpeaker = /^(?:-1|\d*NA|<NA>|)$/;

export interface Entity {
  readonly visible: Sightings;
  readonly audible: Sightings;
  /** Rows for each speaker that the column names. */
  readonly speakers: Map<string, number>;
}

const mostNamed = (speakers: ReadonlyMap<string, number>): string | null => {
  const [most] = [...speakers].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most?.[0] ?? null;
};

/**
 * The entities (face tracks) of an AVA-ActiveSpeaker file, and the faces that they are. Entities whose rows name
 * the same speaker are one face; without a known speaker each entity is a face of its own. An entity that names
 * several speakers is the one's that it names most.
 */
export class AvaFaces {
  readonly #entities = new Map<string, Entity>();

  /** Takes one row. `speaker` is null where the file has no such column. */
  add(id: string, at: number, isAudible: boolean, speaker: string | null): void {
    const entity = this.entity(id);
    entity.visible.add(at);
    if (isAudible) entity.audible.add(at);
    if (speaker === null || unknownSpeaker.test(speaker)) return;
    const count = entity.speakers.get(speaker);
    entity.speakers.set(count === undefined ? detached(speaker) : speaker, (count ?? 0) + 1);
  }

  /** The entity of this id, a new one if need be. */
  entity(id: string): Entity {
    return this.#entities.get(id) ?? this.#newEntity(id);
  }

  toImported(recording: string | null, rows: number, others: readonly [string, number]): ImportedFaces {
    const dropped = new Tally();
    const notes = new Tally();
    dropped.add(...others);
    const faces = new Map<string, FaceParts>();
    for (const [id, { visible, audible, speakers }] of this.#entities) {
      const speaker = mostNamed(speakers);
      const key = speaker === null ? `entity ${id}` : `speaker ${speaker}`;
      const face = faces.get(key) ?? { key, visible: [], audible: [] };
      faces.set(key, face);
      face.visible.push(...visible.stretches(0, frameSeconds));
      face.audible.push(...audible.stretches(0, frameSeconds));
      notes.add('face track that names several speakers: taken for the one it names most', speakers.size > 1 ? 1 : 0);
      notes.add(`visible stretch of a single row: are rows more than ${joinSeconds} s apart?`, visible.singles());
    }
    const numbered = toFaces([...faces.values()]);
    notes.add('track of the file: those of one speaker are one face', this.#entities.size);
    return {
      faces: numbered.faces,
      summary: { recording, rows, seconds: numbered.seconds, dropped: dropped.notes(), notes: notes.notes() },
    };
  }

  #newEntity(id: string): Entity {
    const entity: Entity = {
      visible: new Sightings(joinSeconds),
      audible: new Sightings(joinSeconds),
      speakers: new Map(),
    };
    this.#entities.set(detached(id), entity);
    return entity;
  }
}
