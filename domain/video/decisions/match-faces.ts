import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { refuse } from '../../kernel/decider.js';
import type { SpeakerId } from '../../kernel/ids.js';
import { type GivenName, isBlank } from '../../kernel/names.js';
import type { Mapping, MatchFaces } from '../contract.js';
import type { VideoDecision } from '../refusals.js';
import type { AudioFacts } from '../audio-facts.js';
import type { NamedSpeaker, VideoEvent } from '../events.js';
import { laterThanAllNames } from '../faces.js';
import { adoptedName, linkFaces, checkDistinct, checkKnown } from '../link-faces.js';
import type { RegisteredVideo } from '../state.js';
import { editsToReach, clearRuledOut } from '../ruled-out.js';

const requestedName = ({ name }: Mapping): GivenName | null =>
  name === undefined || name === null || isBlank(name) ? null : { name, named_by: 'person' };

const namedSpeakers = (mappings: ReadonlyArray<Mapping & { readonly speaker_id: SpeakerId }>, audio: AudioFacts) => {
  const speakers = new Map(audio.speakers.map((speaker) => [speaker.speaker_id, speaker]));
  return mappings.flatMap((mapping) => {
    const given = requestedName(mapping);
    const { speaker_id } = mapping;
    const speaker = speakers.get(speaker_id);
    const previous = { previous_name: speaker?.name ?? null, previous_named_by: speaker?.named_by ?? 'analysis' };
    return given === null ? [] : [{ speaker_id, name: given.name, ...previous }];
  });
};

/** Whether the name is new to the speaker, or was not given by a person before. */
export const isNewSpeakerName = ({ name, previous_name, previous_named_by }: NamedSpeaker): boolean =>
  name !== previous_name || previous_named_by !== 'person';

/** PUT speaker-face-match (specification, section 4.1). Matches by people have no accuracy. */
export const matchFaces = (
  state: RegisteredVideo,
  { mappings, audio, at }: MatchFaces,
): VideoDecision<'MatchFaces'> => {
  if (mappings.length === 0) return refuse({ _tag: 'EmptyMappings' });
  const distinct = checkDistinct(mappings);
  if (E.isLeft(distinct)) return distinct;
  const { audio_id } = state;
  if (audio_id === null || audio === null) return refuse({ _tag: 'AudioMissing' });
  if (state.status !== 'completed') return refuse({ _tag: 'VideoUnprocessed', status: state.status });
  return pipe(
    checkKnown(mappings, state.faces, audio.speakers),
    E.chain((known): VideoDecision<'MatchFaces'> => {
      const speakerOf = new Map(audio.speakers.map((speaker) => [speaker.speaker_id, speaker]));
      const changes = linkFaces(
        state.faces,
        known.map((mapping) => ({
          face_id: mapping.face_id,
          speaker_id: mapping.speaker_id,
          accuracy: null,
          name:
            requestedName(mapping) ?? adoptedName(state.faces.get(mapping.face_id), speakerOf.get(mapping.speaker_id)),
        })),
      );
      const speakers = namedSpeakers(known, audio);
      const ruled_out = editsToReach(state.ruled_out, known.flatMap(clearRuledOut));
      const dated = laterThanAllNames(at, state.faces, audio);
      const matched: ReadonlyArray<VideoEvent> =
        changes.length === 0 && !speakers.some(isNewSpeakerName)
          ? []
          : [{ type: 'FacesMatched', data: { audio_id, changes, speakers, at: dated } }];
      const decided: ReadonlyArray<VideoEvent> =
        ruled_out.length === 0 ? [] : [{ type: 'LinksDecided', data: { audio_id, changes: [], ruled_out, at: dated } }];
      return E.right([...matched, ...decided]);
    }),
  );
};
