import { type Media, createMedia } from '../media.js';
import { matched, triggerSuggest } from '../runs.js';
import type { TestApi } from '../test-api.js';
import { type Row, unknownIds } from './request.js';

const pair = (face_id: number, speaker_id: number, name?: string) => ({ face_id, speaker_id, name });
const confirmed = (speaker_id: number, face_id: number | null) => ({ speaker_id, face_id, verdict: 'confirmed' });

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
  const put = (answer: string, mappings: ReadonlyArray<object>, of = media): Row => [
    `PUT ${of.match}`,
    answer,
    { mappings },
  ];
  const decide = (answer: string, decisions: ReadonlyArray<object>, of = media): Row => [
    `POST ${of.match}/decisions`,
    answer,
    { decisions },
  ];
  const write = (answer: string, body: object, of = media): Row => [`PUT ${of.writeBack}`, answer, body, worker];
  return [
    put('400 empty_mappings', []),
    put('400 duplicate_face_id', [pair(99, 1), pair(99, 2)]),
    put('400 duplicate_speaker_id', [pair(1, 1), pair(2, 1)]),
    put('400 audio_missing', [pair(99, 99)], apart),
    put('400 empty_mappings', [], unready),
    put('422 video_not_completed', [pair(-1, -1)], unready),
    ...unknownIds.flatMap((id) => [
      put('404 InvalidFace', [pair(1, 1), pair(id, 2)]),
      put('404 InvalidSpeaker', [pair(1, 1, 'Kept Out'), pair(2, id)]),
    ]),
    ...(['match', 'suggestions'] as const).flatMap((kind): ReadonlyArray<Row> => {
      const start = (of: Media, answer: string, target_speaker_ids?: ReadonlyArray<number>): Row => [
        `POST ${of[kind]}`,
        answer,
        { target_speaker_ids },
      ];
      return [
        ...unknownIds.map((id) => start(media, '400 speaker_not_in_audio', [1, id])),
        start(unready, '400 empty_target_speaker_ids', []),
        start(unready, '400 speaker_not_in_audio', [99]),
        start(unready, '409 video_not_completed'),
        start(silent, '409 audio_not_completed'),
        start(apart, '400 audio_missing'),
        start(busy, '409 match_run_in_flight'),
        start(busy, '400 speaker_not_in_audio', [99]),
      ];
    }),
    decide('400 empty_decisions', []),
    decide('400 duplicate_decision', [confirmed(1, 1), { ...confirmed(1, 1), verdict: 'rejected' }]),
    decide('400 duplicate_decision', [confirmed(1, 1), confirmed(2, 1)]),
    decide('404 InvalidFace', [confirmed(1, 99)]),
    decide('404 InvalidSpeaker', [confirmed(99, null)]),
    decide('422 video_not_completed', [confirmed(1, 1)], unready),
    ...['99', '-1', 'x', '1.5'].map((id): Row => [`DELETE ${media.video}/faces/${id}/match`, '404 InvalidFace']),
    [`DELETE ${unready.video}/faces/1/match`, '422 video_not_completed'],
    write('404 unknown_run', { run_id: 'none', matches: [] }),
    write('404 unknown_run', { run_id, matches: [] }),
    write('404 InvalidFace', { matches: [matched(99, 1)] }),
    write('404 InvalidSpeaker', { matches: [matched(1, 99)] }),
    write('400 duplicate_face_id', { matches: [matched(1, 1), matched(1, 2)] }),
    write('400 duplicate_speaker_id', { matches: [matched(1, 1), matched(2, 1)] }),
    write('400 speaker_not_targeted', { run_id, matches: [matched(1, 1)] }, few),
  ];
};
