import { type Media, createMedia } from '../media.js';
import { matched, triggerSuggest } from '../runs.js';
import type { TestApi } from '../test-api.js';
import { type Row, unknownIds } from './request.js';

const pair = (face_id: number, speaker_id: number, name?: string) => ({ face_id, speaker_id, name });

/** Matches, runs and their answers. */
export const ofMatches = async (api: TestApi, media: Media): Promise<ReadonlyArray<Row>> => {
  const { worker } = api;
  const unready = await createMedia(api, { videoStatus: 'queue', audioStatus: 'queue' });
  const silent = await createMedia(api, { audioStatus: 'processing' });
  const apart = await createMedia(api, { apart: true });
  const busy = await createMedia(api);
  await triggerSuggest(api, busy);
  const few = await createMedia(api);
  const run_id = await triggerSuggest(api, few, { target_speaker_ids: [2] });
  const put = (status: number, code: string, mappings: ReadonlyArray<object>, of = media): Row => [
    'PUT',
    of.match,
    status,
    code,
    { mappings },
  ];
  const decide = (status: number, code: string, decisions: ReadonlyArray<object>, of = media): Row => [
    'POST',
    `${of.match}/decisions`,
    status,
    code,
    { decisions },
  ];
  const answer = (status: number, code: string, body: object): Row => [
    'PUT',
    media.writeBack,
    status,
    code,
    body,
    worker,
  ];
  const confirmed = (speaker_id: number, face_id: number | null) => ({ speaker_id, face_id, verdict: 'confirmed' });
  return [
    put(400, 'empty_mappings', []),
    put(400, 'duplicate_face_id', [pair(99, 1), pair(99, 2)]),
    put(400, 'duplicate_speaker_id', [pair(1, 1), pair(2, 1)]),
    put(400, 'audio_missing', [pair(99, 99)], apart),
    put(400, 'empty_mappings', [], unready),
    put(422, 'video_not_completed', [pair(-1, -1)], unready),
    ...unknownIds.flatMap((id) => [
      put(404, 'InvalidFace', [pair(1, 1), pair(id, 2)]),
      put(404, 'InvalidSpeaker', [pair(1, 1, 'Kept Out'), pair(2, id)]),
    ]),
    ...['match', 'suggestions'].flatMap((kind): ReadonlyArray<Row> => {
      const path = (of: Media) => (kind === 'match' ? of.match : of.suggestions);
      return [
        ...unknownIds.map((id): Row => [
          'POST',
          path(media),
          400,
          'speaker_not_in_audio',
          { target_speaker_ids: [1, id] },
        ]),
        ['POST', path(unready), 400, 'empty_target_speaker_ids', { target_speaker_ids: [] }],
        ['POST', path(unready), 400, 'speaker_not_in_audio', { target_speaker_ids: [99] }],
        ['POST', path(unready), 409, 'video_not_completed', {}],
        ['POST', path(silent), 409, 'audio_not_completed', {}],
        ['POST', path(apart), 400, 'audio_missing', {}],
        ['POST', path(busy), 409, 'match_run_in_flight', {}],
        ['POST', path(busy), 400, 'speaker_not_in_audio', { target_speaker_ids: [99] }],
      ];
    }),
    decide(400, 'empty_decisions', []),
    decide(400, 'duplicate_decision', [confirmed(1, 1), { ...confirmed(1, 1), verdict: 'rejected' }]),
    decide(400, 'duplicate_decision', [confirmed(1, 1), confirmed(2, 1)]),
    decide(404, 'InvalidFace', [confirmed(1, 99)]),
    decide(404, 'InvalidSpeaker', [confirmed(99, null)]),
    decide(422, 'video_not_completed', [confirmed(1, 1)], unready),
    ...['99', '-1', 'x', '1.5'].map((id): Row => ['DELETE', `${media.video}/faces/${id}/match`, 404, 'InvalidFace']),
    ['DELETE', `${unready.video}/faces/1/match`, 422, 'video_not_completed'],
    answer(404, 'unknown_run', { run_id: 'none', matches: [] }),
    answer(404, 'unknown_run', { run_id, matches: [] }),
    answer(404, 'InvalidFace', { matches: [matched(99, 1)] }),
    answer(404, 'InvalidSpeaker', { matches: [matched(1, 99)] }),
    answer(400, 'duplicate_face_id', { matches: [matched(1, 1), matched(1, 2)] }),
    answer(400, 'duplicate_speaker_id', { matches: [matched(1, 1), matched(2, 1)] }),
    ['PUT', few.writeBack, 400, 'speaker_not_targeted', { run_id, matches: [matched(1, 1)] }, worker],
  ];
};
