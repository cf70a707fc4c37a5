import type { HttpAnswer } from '../../http-client.js';
import { type Media, createMedia, expectOk } from '../media.js';
import { matched, runSuggest } from '../runs.js';
import type { TestApi } from '../test-api.js';
import type { Row } from './request.js';

const positionOf = async (write: Promise<HttpAnswer>): Promise<string> =>
  (await expectOk(write)).headers.get('X-Event-Position') ?? '';

/** What cannot be undone. */
export const ofReverts = async (api: TestApi, media: Media): Promise<ReadonlyArray<Row>> => {
  const { owner, worker } = api;
  const untouched = await createMedia(api);
  const run_id = await runSuggest(api, untouched, matched(1, 1));
  const merged = await createMedia(api);
  const merge = await positionOf(owner.post(`${merged.audio}/speakers/merge`, { from: 1, into: 3 }));
  const analysed = await positionOf(
    worker.put(`${media.video}/analysis`, { status: 'completed', faces: [1, 2, 3].map((id) => ({ id, tracks: [] })) }),
  );
  const speakers = [1, 2, 3].map((speaker_id) => ({ speaker_id }));
  const heard = await positionOf(
    worker.put(`${media.audio}/analysis`, {
      status: 'completed',
      speakers,
      segments: [{ speaker_id: 1, start: 0, end: 1 }],
    }),
  );
  const titled = await positionOf(owner.patch(media.video, { title: 'One' }));
  await expectOk(owner.post(`${media.video}/history/${titled}/revert`));
  const retitled = await positionOf(owner.patch(media.audio, { title: 'One' }));
  await expectOk(owner.post(`${media.audio}/history/${retitled}/revert`, { dry_run: false }));
  return [false, true].flatMap((dry_run): ReadonlyArray<Row> => [
    ['POST', `${media.video}/history/${analysed}/revert`, 409, 'not_revertible', { dry_run }],
    ['POST', `${media.audio}/history/${heard}/revert`, 409, 'not_revertible', { dry_run }],
    ['POST', `${merged.audio}/history/${merge}/revert`, 409, 'not_revertible', { dry_run }],
    ['POST', `${media.video}/history/${titled}/revert`, 409, 'nothing_to_revert', { dry_run }],
    ['POST', `${media.audio}/history/${retitled}/revert`, 409, 'nothing_to_revert', { dry_run }],
    ['POST', `${untouched.runs}/${run_id}/revert`, 409, 'nothing_to_revert', { dry_run }],
  ]);
};
