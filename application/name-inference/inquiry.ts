import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { SpeakerId } from '../../domain/kernel/ids.js';
import { type InquiryFacts, type InquiryRefusal, checkInquiry } from '../../domain/name-inference/eligibility.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';

const parentOf = (app: Uses<'videos'>, { video_id }: RegisteredAudio): TE.TaskEither<Failure, InquiryFacts['parent']> =>
  video_id === null
    ? TE.right(null)
    : pipe(
        app.videos.load(video_id),
        TE.map(({ state }) => (state._tag === 'Registered' ? { kind: state.kind } : 'missing')),
      );

/** Checks that names may be inferred for these speakers. */
export const checkedInquiry = (
  app: Uses<'videos'>,
  audio: RegisteredAudio,
  target_speaker_ids: ReadonlyArray<SpeakerId>,
): TE.TaskEither<InquiryRefusal | Failure, void> =>
  pipe(
    parentOf(app, audio),
    TE.chainW((parent) =>
      TE.fromEither(
        checkInquiry(
          {
            status: audio.status,
            kind: audio.kind,
            speakers: audio.speakers,
            transcript_available: audio.transcript !== null,
            provider_supplied: audio.provider_supplied,
            transcript_replaced: audio.replaced_by !== null,
            speech_segments: audio.speech_segments,
            parent,
          },
          target_speaker_ids,
        ),
      ),
    ),
  );
