import type { SpeakerId } from '../kernel/ids.js';
import type { GivenName, Naming } from '../kernel/names.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { VideoEvent } from './events.js';
import type { FaceEdit } from './face.js';
import { nameDate } from './faces.js';
import { speakersName } from './link-faces.js';
import type { Face } from './state.js';

/** The facts about a matched face that decide whether its name and its speaker's agree. */
export type MatchedName = Pick<Face, 'name' | 'named_at' | 'name_origin'> & { readonly speaker_id: SpeakerId };

/** A speaker's current name. */
export interface NamedSpeaker extends Naming {
  readonly renamed_at: Timestamp | null;
  /** A revert restored the name. Such a name is not passed on to the face. */
  readonly name_put_back: boolean;
}

/** The name that a speaker and its matched face should both have, with the date of that name. */
export interface StandingName extends GivenName {
  readonly speaker_id: SpeakerId;
  readonly at: Timestamp;
}

export interface DivergedNames {
  /** New names of speakers that their faces do not have yet. */
  readonly for_faces: ReadonlyArray<StandingName>;
  /** Names given to both face and speaker that the speaker does not have yet. */
  readonly for_speakers: ReadonlyArray<StandingName>;
  /** Speakers with a matched face that no longer exist in the audio. */
  readonly gone: ReadonlyArray<SpeakerId>;
}

/** Whether the speaker's name wins: it is later, or it replaced the name that the face adopted. */
const isSpeakers = ({ named_at, name_origin }: MatchedName, renamed_at: Timestamp): boolean =>
  named_at === null || renamed_at > named_at || name_origin === 'adopted';

/**
 * Finds faces and renamed speakers whose names differ although one of them was passed on to the other. This happens
 * when both were changed concurrently. The later name wins. Names that an analysis gave a speaker are never passed on
 * to faces.
 */
export const divergedNames = (
  faces: Iterable<MatchedName>,
  speakers: ReadonlyMap<SpeakerId, NamedSpeaker>,
): DivergedNames => {
  const for_faces: Array<StandingName> = [];
  const for_speakers: Array<StandingName> = [];
  const gone: Array<SpeakerId> = [];
  for (const face of faces) {
    const { speaker_id, name, named_at } = face;
    const speaker = speakers.get(speaker_id);
    if (speaker === undefined) gone.push(speaker_id);
    else if (speaker.name === name) continue;
    else if (speaker.name !== null && speaker.renamed_at !== null && isSpeakers(face, speaker.renamed_at)) {
      if (!speaker.name_put_back)
        for_faces.push({ speaker_id, ...speakersName(speaker, speaker.name), at: speaker.renamed_at });
    } else if (face.name_origin === 'shared' && named_at !== null && name !== null)
      for_speakers.push({ speaker_id, name, named_by: 'person', at: named_at });
  }
  return { for_faces, for_speakers, gone };
};

const changed = (changes: ReadonlyArray<FaceEdit>, at: Timestamp, adopts: boolean): ReadonlyArray<MatchedName> =>
  changes.flatMap((change) => {
    const dated = nameDate(change, { at, adopts });
    const { speaker_id = null, name = null } = change.after;
    return dated === null || speaker_id === null ? [] : [{ speaker_id, name, ...dated }];
  });

/** The matched faces whose name or speaker an event changed, as they are after it. */
export const matchedNamesAfter = (event: VideoEvent): ReadonlyArray<MatchedName> => {
  switch (event.type) {
    case 'FacesMatched': {
      const { changes, speakers, at } = event.data;
      const shared = speakers.map(({ speaker_id, name }): MatchedName => ({
        speaker_id,
        name,
        named_at: at,
        name_origin: 'shared',
      }));
      const named = new Set(speakers.map(({ speaker_id }) => speaker_id));
      return [...changed(changes, at, true).filter(({ speaker_id }) => !named.has(speaker_id)), ...shared];
    }
    case 'LinksDecided':
      return changed(event.data.changes, event.data.at, true);
    case 'MatchesCommitted':
      return [
        ...changed(event.data.replaced, event.data.at, false),
        ...changed(event.data.changes, event.data.at, true),
      ];
    case 'MatchRunFailed':
      return changed(event.data.replaced, event.data.at, false);
    case 'MatchRunReverted':
    case 'SpeakerWithdrawn':
      return changed(event.data.changes, event.data.at, false);
    case 'VideoChangeReverted':
      return changed(event.data.faces, event.data.at, false);
    default:
      return [];
  }
};
