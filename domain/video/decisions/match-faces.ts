import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { nothing, record, refuse } from '../../kernel/decider.js';
import type { SpeakerId } from '../../kernel/ids.js';
import { isBlank } from '../../kernel/names.js';
import type { AudioFacts, Mapping, MatchFaces, VideoDecision } from '../contract.js';
import type { VideoEvent } from '../events.js';
import { datedLast } from '../faces.js';
import { adoptedName, linkFaces } from '../link-faces.js';
import type { RegisteredVideo } from '../state.js';
import { checkDistinct, checkKnown } from './check-links.js';

const requestedName = ({ name }: Mapping): string | null => (name === undefined || isBlank(name) ? null : name);

const namedSpeakers = (mappings: ReadonlyArray<Mapping & { readonly speaker_id: SpeakerId }>, audio: AudioFacts) => {
  const names = new Map(audio.speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  return mappings.flatMap((mapping) => {
    const name = requestedName(mapping);
    const { speaker_id } = mapping;
    return name === null ? [] : [{ speaker_id, name, previous_name: names.get(speaker_id) ?? null }];
  });
};

/** PUT speaker-face-match (specification, section 4.1): by hand, so without accuracy. */
export const matchFaces = (state: RegisteredVideo, { mappings, audio, at }: MatchFaces): VideoDecision => {
  if (mappings.length === 0) return refuse({ _tag: 'EmptyMappings' });
  const distinct = checkDistinct(mappings);
  if (E.isLeft(distinct)) return distinct;
  const { audio_id } = state;
  if (audio_id === null || audio === null) return refuse({ _tag: 'AudioMissing' });
  if (state.status !== 'completed') return refuse({ _tag: 'VideoUnprocessed', status: state.status });
  return pipe(
    checkKnown(mappings, state.faces, audio.speakers),
    E.chain((known): VideoDecision => {
      const speakerNames = new Map(audio.speakers.map(({ speaker_id, name }) => [speaker_id, name]));
      const changes = linkFaces(
        state.faces,
        known.map((mapping) => ({
          face_id: mapping.face_id,
          speaker_id: mapping.speaker_id,
          accuracy: null,
          name:
            requestedName(mapping) ??
            adoptedName(state.faces.get(mapping.face_id)?.name ?? null, speakerNames.get(mapping.speaker_id) ?? null),
        })),
      );
      const speakers = namedSpeakers(known, audio);
      return changes.length === 0 && speakers.every(({ name, previous_name }) => name === previous_name)
        ? nothing
        : record<VideoEvent>({
            type: 'FacesMatched',
            data: { audio_id, changes, speakers, at: datedLast(at, state.faces, audio) },
          });
    }),
  );
};
