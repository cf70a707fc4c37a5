import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { changeAudio, renameSpeakers } from '../../../application/use-cases/audios/change-audio.js';
import { SpeakerId } from '../../../domain/kernel/ids.js';
import type { AudioState } from '../../../domain/audio/state.js';
import { audioRefusals } from '../../../domain/audio/contract.js';
import { DeletedSpeaker, MergedSpeakers, RenamedSpeakers, SpeakerRoles } from '../answers/media.js';
import { MergeSpeakersBody, SpeakerNamesBody, SpeakerRolesBody } from '../codecs/media.js';
import { numberInPath } from '../codecs/values.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { type Service, audioId } from '../service.js';

type Targeted = { readonly speaker_id: number };

/** The targets with a valid speaker id. */
const withValidId = <Target extends Targeted>(targets: ReadonlyArray<Target>) =>
  targets.flatMap((target) => (SpeakerId.is(target.speaker_id) ? [{ ...target, speaker_id: target.speaker_id }] : []));

/** Unknown speakers are not an error here: the answer lists them as skipped. */
const updatedAndSkipped = <Target extends Targeted>(state: AudioState, targets: ReadonlyArray<Target>) => {
  const isKnown = ({ speaker_id }: Targeted) =>
    state._tag === 'Registered' && SpeakerId.is(speaker_id) && state.speakers.has(speaker_id);
  return {
    speakers: targets.filter(isKnown),
    skipped: targets.filter((target) => !isKnown(target)).map(({ speaker_id }) => speaker_id),
  };
};

const rename = (service: Service): Endpoint =>
  withBody(
    { operation: 'speakers.rename', answer: RenamedSpeakers, refuses: audioRefusals.RenameSpeakers },
    SpeakerNamesBody,
    audioId(service, 'owner_or_media_write'),
    ({ request }, { audio_id }, speakers) =>
      pipe(
        renameSpeakers(service.app, request, audio_id, withValidId(speakers)),
        TE.chainW((state) =>
          ok(
            updatedAndSkipped(
              state,
              speakers.map(({ speaker_id, name }) => ({ speaker_id, name })),
            ),
          ),
        ),
      ),
  );

const setRoles = (service: Service): Endpoint =>
  withBody(
    { operation: 'speakers.setRoles', answer: SpeakerRoles, refuses: audioRefusals.SetSpeakerRoles },
    SpeakerRolesBody,
    audioId(service, 'owner_or_media_write'),
    ({ request }, { audio_id }, speakers) =>
      pipe(
        changeAudio(service.app, request, audio_id, { type: 'SetSpeakerRoles', speakers: withValidId(speakers) }),
        TE.chainW((state) =>
          ok(
            updatedAndSkipped(
              state,
              speakers.map(({ speaker_id, role }) => ({ speaker_id, role })),
            ),
          ),
        ),
      ),
  );

const merge = (service: Service): Endpoint =>
  withBody(
    { operation: 'speakers.merge', answer: MergedSpeakers, refuses: audioRefusals.MergeSpeakers },
    MergeSpeakersBody,
    audioId(service, 'owner'),
    ({ request }, { audio_id }, { from, into }) =>
      pipe(
        changeAudio(service.app, request, audio_id, { type: 'MergeSpeakers', from, into, at: request.at }),
        TE.chainW(() => ok({ status: 'completed', from, into })),
      ),
  );

const remove = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'speakers.delete', answer: DeletedSpeaker, refuses: ['InvalidSpeaker', 'UnknownSpeaker'] },
    audioId(service, 'owner'),
    ({ params, request }, { audio_id }) => {
      const speaker_id = numberInPath(params['speaker_id']);
      if (!SpeakerId.is(speaker_id)) return TE.left({ _tag: 'UnknownSpeaker' });
      return pipe(
        changeAudio(service.app, request, audio_id, { type: 'DeleteSpeaker', speaker_id, at: request.at }),
        TE.chainW(() => ok({ status: 'completed', speaker_id })),
      );
    },
  );

export const speakerEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  rename(service),
  setRoles(service),
  merge(service),
  remove(service),
];
