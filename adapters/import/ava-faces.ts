import { copyOf } from './fields.js';
import { type FaceParts, toFaces } from './faces.js';
import type { ImportedFaces } from './imported.js';
import { Sightings } from './sightings.js';
import { Tally } from './tally.js';

/** A row is one frame: at AVA's 25 frames a second it covers 0.04 s from its timestamp on. */
const frameSeconds = 0.04;

/** Frames at most this far apart belong to one interval: some frames may be missing. */
const joinSeconds = 0.25;

/** AVA-AVD's speaker column has `01spk02` (clip 01, spk02 in its RTTM), `01NA` if nobody is heard, `-1` for no clip. */
export const unknownSpeaker = /^(?:-1|\d*NA|<NA>|)$/;

export interface Entity {
  readonly visible: Sightings;
  readonly audible: Sightings;
  /** Rows for each speaker that the column names. */
  readonly speakers: Map<string, number>;
}

const mostFrequent = (speakers: ReadonlyMap<string, number>): string | null => {
  const [most] = [...speakers].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most?.[0] ?? null;
};

/**
 * Groups the entities (face tracks) of an AVA-ActiveSpeaker file into faces. Entities with the same speaker are one
 * face; an entity without a known speaker is a face of its own. An entity with several speakers gets the most frequent
 * one.
 */
export class AvaFaces {
  readonly #entities = new Map<string, Entity>();

  /** Adds one row. `speaker` is null if the file has no such column. */
  add(id: string, at: number, isAudible: boolean, speaker: string | null): void {
    const entity = this.entity(id);
    entity.visible.add(at);
    if (isAudible) entity.audible.add(at);
    if (speaker === null || unknownSpeaker.test(speaker)) return;
    const count = entity.speakers.get(speaker);
    entity.speakers.set(count === undefined ? copyOf(speaker) : speaker, (count ?? 0) + 1);
  }

  /** The entity with this id, created if it is new. */
  entity(id: string): Entity {
    return this.#entities.get(id) ?? this.#newEntity(id);
  }

  toImported(recording: string | null, rows: number, others: readonly [string, number]): ImportedFaces {
    const dropped = new Tally();
    const notes = new Tally();
    dropped.add(...others);
    const faces = new Map<string, FaceParts>();
    for (const [id, { visible, audible, speakers }] of this.#entities) {
      const speaker = mostFrequent(speakers);
      const key = speaker === null ? `entity ${id}` : `speaker ${speaker}`;
      const face = faces.get(key) ?? { key, visible: [], audible: [] };
      faces.set(key, face);
      face.visible.push(...visible.intervals(0, frameSeconds));
      face.audible.push(...audible.intervals(0, frameSeconds));
      notes.add('face track with several speakers: assigned to the most frequent one', speakers.size > 1 ? 1 : 0);
      notes.add(`visible interval of a single row; are rows more than ${joinSeconds} s apart?`, visible.singles());
    }
    const numbered = toFaces([...faces.values()]);
    notes.add('face track in the file; tracks of one speaker become one face', this.#entities.size);
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
    this.#entities.set(copyOf(id), entity);
    return entity;
  }
}
