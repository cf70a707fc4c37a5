import { createMedia } from '../media.js';
import { triggerSuggest } from '../runs.js';
import type { TestApi } from '../test-api.js';
import { ofMatches } from './of-matches.js';
import { ofAccounts, ofNames, ofRecords, ofReverts, ofTags } from './of-records.js';
import { type RefusedRequest, type Row, tableOf } from './request.js';

/** For every endpoint that takes If-Match, requests that its checks of the state refuse, of each kind that it has. */
export const refusedLate = async (api: TestApi): Promise<ReadonlyArray<RefusedRequest>> => {
  const media = await createMedia(api);
  const rows = [
    await ofMatches(api, media),
    await ofReverts(api, media),
    await ofTags(api, media),
    ofRecords(api, media),
    await ofNames(api),
    await ofAccounts(api),
  ];
  return rows.flat().map(tableOf(api.owner));
};

/** Requests that are refused before If-Match is checked, or have no such condition. */
export const refusedEarly = async (api: TestApi): Promise<ReadonlyArray<RefusedRequest>> => {
  const { owner, stranger, admin, worker } = api;
  const media = await createMedia(api);
  const apart = await createMedia(api, { apart: true });
  const busy = await createMedia(api);
  const run_id = await triggerSuggest(api, busy);
  const { videoId, audioId } = media;
  const rows: ReadonlyArray<Row> = [
    ...[owner, stranger].flatMap((client): ReadonlyArray<Row> => [
      ['POST /v2/videos', '409 video_exists', { video_id: videoId }, client],
      ['POST /v2/audios', '409 audio_exists', { audio_id: audioId }, client],
    ]),
    ['POST /v2/videos', '409 video_exists', { video_id: videoId, audio_id: apart.audioId }],
    ['POST /v2/videos', '400 audio_not_found', { video_id: 'never', audio_id: 'none' }],
    ['POST /v2/videos', '400 audio_not_found', { video_id: 'never', audio_id: apart.audioId }, stranger],
    ['POST /v2/videos', '409 audio_has_parent', { video_id: 'never', audio_id: audioId }],
    ['POST /v2/audios', '400 video_not_found', { audio_id: 'never', video_id: 'none' }],
    ['POST /v2/audios', '400 video_not_found', { audio_id: 'never', video_id: videoId }, stranger],
    ['POST /v2/audios', '409 audio_already_associated', { audio_id: 'never', video_id: videoId }],
    ['GET /v2/videos/never', '404 unknown_video', undefined, admin],
    ['GET /v2/audios/never', '404 unknown_audio', undefined, admin],
    ['POST /v1/accounts', '409 account_exists', { account_id: 'owner' }, admin],
    ...['x', '%20'].flatMap((key): ReadonlyArray<Row> => [
      [`DELETE /v1/accounts/owner/keys/${key}`, '404 unknown_key', undefined, admin],
      [`DELETE /v1/me/keys/${key}`, '404 unknown_key'],
    ]),
    [`GET ${media.suggestions}`, '404 no_suggestions'],
    [`GET ${busy.suggestions}`, '404 match_run_in_flight'],
    [`GET ${media.audio}/transcript`, '404 transcript_not_found'],
    [`PUT ${media.writeBack}`, '422 malformed_body', {}, worker],
    [`PUT ${media.writeBack}`, '422 malformed_body', { matches: null }, worker],
    ...['none', '%00', run_id].flatMap((run): ReadonlyArray<Row> => [
      [`GET ${media.runs}/${run}`, '404 unknown_run'],
      [`POST ${media.runs}/${run}/revert`, '404 unknown_run'],
    ]),
    ...[media.video, media.audio].flatMap((record): ReadonlyArray<Row> => [
      [`GET ${record}?at=2001-01-01T00:00:00.000Z`, '404 no_such_revision'],
      [`GET ${record}?at=999`, '404 no_such_revision'],
    ]),
    ['GET /v2/review?video_id=none', '404 unknown_video'],
    [`GET /v2/review?video_id=${videoId}`, '401 not_authorised', undefined, stranger],
  ];
  return rows.map(tableOf(owner));
};
