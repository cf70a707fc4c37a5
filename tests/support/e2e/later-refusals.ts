import * as t from 'io-ts';
import { operations } from '../../../adapters/runtime/operations.js';
import type { TestApi } from './test-api.js';
import { createMedia, expectOk } from './media.js';
import { getAllEvents } from './whole-log.js';
import { matched, runSuggest, triggerSuggest } from './runs.js';
import type { HttpAnswer, HttpClient } from '../http-client.js';

/** A request that the state of the service refuses after its body and its preconditions are met. */
interface LaterRefusal {
  readonly operation: string;
  readonly name: string;
  readonly status: number;
  readonly send: (headers: Record<string, string>) => Promise<HttpAnswer>;
}

/** The operation of a request. */
const operationOf = (method: string, path: string): string => {
  const isOf = (place: string): boolean =>
    new RegExp(`^${place.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path}`);
  return Object.entries(operations).findLast(([, place]) => isOf(place))?.[0] ?? '';
};

const newSession = async ({ owner, admin }: TestApi): Promise<string> => {
  await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 100, reason: 'x' }));
  const { body } = await expectOk(owner.post('/v2/realtime/session', {}));
  if (!Session.is(body)) throw new Error('no session');
  return `/v2/realtime/session/${body.session_id}`;
};

const positionOf = async (write: Promise<HttpAnswer>): Promise<string> =>
  (await expectOk(write)).headers.get('X-Event-Position') ?? '';

const Session = t.type({ session_id: t.string });
const stretch = { start: 0, end: 1 };
const importer = 'importer.x';

/** For every endpoint that takes If-Match, requests that its later checks refuse, of each kind that it has. */
export const laterRefusals = async (api: TestApi) => {
  const { owner, worker, admin } = api;
  const media = await createMedia(api);
  const unready = await createMedia(api, { videoStatus: 'queue', audioStatus: 'queue' });
  const busy = await createMedia(api);
  await triggerSuggest(api, busy);
  const untouched = await createMedia(api);
  const run_id = await runSuggest(api, untouched, matched(1, 1));
  const analysed = await positionOf(
    worker.put(`${media.video}/analysis`, { status: 'completed', faces: [{ id: 1, tracks: [] }] }),
  );
  const heard = await positionOf(
    worker.put(`${media.audio}/analysis`, {
      status: 'completed',
      speakers: [{ speaker_id: 1 }, { speaker_id: 2 }],
      segments: [],
    }),
  );
  const titled = await positionOf(owner.patch(media.video, { title: 'One' }));
  await expectOk(owner.post(`${media.video}/history/${titled}/revert`));
  const retitled = await positionOf(owner.patch(media.audio, { title: 'One' }));
  await expectOk(owner.post(`${media.audio}/history/${retitled}/revert`, { dry_run: false }));

  await expectOk(admin.post('/v1/accounts/stranger/credits', { amount: 999_999_999, reason: 'x' }));

  const refusals: LaterRefusal[] = [];
  const add = (method: string, path: string, status: number, body?: unknown, client: HttpClient = owner): void => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    refusals.push({
      operation: operationOf(method, path),
      name: `${method} ${path} ${text ?? ''}`,
      status,
      send: (headers) => client.raw(method, path, text, headers),
    });
  };
  const v1 = `/v1/audios/${media.audioId}`;
  const names = `${media.audio}/speaker-name-inference`;

  for (const [status, mappings] of [
    [400, []],
    [404, [{ face_id: 99, speaker_id: 1 }]],
    [404, [{ face_id: 1, speaker_id: 99 }]],
    [
      400,
      [
        { face_id: 1, speaker_id: 1 },
        { face_id: 1, speaker_id: 2 },
      ],
    ],
  ] as const)
    add('PUT', media.match, status, { mappings });
  add('PUT', unready.match, 422, { mappings: [{ face_id: 1, speaker_id: 1 }] });
  for (const path of [media.match, media.suggestions]) {
    add('POST', path, 400, { target_speaker_ids: [99] });
    add('POST', path, 400, { target_speaker_ids: [-1] });
  }
  add('POST', busy.match, 409, {});
  add('POST', busy.suggestions, 409, {});
  add('POST', unready.suggestions, 409, {});
  const decisions = `${media.match}/decisions`;
  add('POST', decisions, 400, { decisions: [] });
  add('POST', decisions, 404, { decisions: [{ speaker_id: 99, face_id: 1, verdict: 'confirmed' }] });
  const verdicts = ['confirmed', 'rejected'].map((verdict) => ({ speaker_id: 1, face_id: 1, verdict }));
  add('POST', decisions, 400, { decisions: verdicts });
  add('DELETE', `${media.video}/faces/99/match`, 404);
  add('DELETE', `${media.video}/faces/x/match`, 404);
  add('DELETE', `${unready.video}/faces/1/match`, 422);
  add('PUT', media.writeBack, 404, { run_id: 'none', matches: [] }, worker);
  add('PUT', media.writeBack, 404, { matches: [{ face_id: 99, speaker_id: 1, accuracy: 1 }] }, worker);
  add('PUT', media.writeBack, 400, { matches: [matched(1, 1), matched(1, 2)] }, worker);

  add('POST', `${media.video}/history/${analysed}/revert`, 409, {});
  add('POST', `${media.video}/history/${analysed}/revert`, 409, { dry_run: true });
  add('POST', `${media.video}/history/${titled}/revert`, 409, {});
  add('POST', `${media.audio}/history/${heard}/revert`, 409, {});
  add('POST', `${media.audio}/history/${retitled}/revert`, 409, { dry_run: true });
  add('POST', `${untouched.runs}/${run_id}/revert`, 409, {});
  add('POST', `${untouched.runs}/${run_id}/revert`, 409, { dry_run: true });

  add('POST', `${media.video}/tags`, 400, { tags: [{ key: 'vpm.a', value: 'x' }] });
  for (const [source, tags] of [
    [importer, [{ key: 'nowhere.a', value: 'x' }]],
    ['x', [{ key: 'vpm.a', value: 'x' }]],
    [importer, [{ key: 'label.a', value: 'x' }]],
    [importer, [1, 2].map((value) => ({ key: 'vpm.a', value }))],
  ] as const)
    for (const dry_run of [false, true]) add('POST', `${media.video}/provider-tags`, 400, { source, tags, dry_run });
  add('PUT', '/v2/tag-registry/not%20a%20key', 400, { category: 'label', value_type: 'string' }, admin);

  add('PUT', `/v1/videos/${media.videoId}/faces/names`, 404, [{ face_id: 99, name: 'Ada' }]);
  add(
    'PUT',
    `${media.audio}/analysis`,
    400,
    { status: 'completed', speakers: [], segments: [{ speaker_id: 9, ...stretch }] },
    worker,
  );
  add(
    'PUT',
    `${media.video}/analysis`,
    400,
    { status: 'completed', faces: [1, 1].map((id) => ({ id, tracks: [] })) },
    worker,
  );
  add('PUT', `${v1}/transcript/replace`, 400, { transcript: [{ speaker_id: 9, ...stretch, text: 'x' }] });
  add('POST', `${media.audio}/speakers/merge`, 404, { from: 9, into: 1 });
  add('POST', `${media.audio}/speakers/merge`, 400, { from: 1, into: 1 });
  add('DELETE', `${media.audio}/speakers/9`, 404);
  add('DELETE', `${media.audio}/speakers/x`, 404);
  for (const path of [names, `${names}/suggestions`, `${names}/estimate`])
    for (const target_speaker_ids of [[99], [-1], []]) add('POST', path, 400, { target_speaker_ids });
  for (const mode of ['', '/suggestions', '/estimate'])
    add('POST', `${unready.audio}/speaker-name-inference${mode}`, 409, { target_speaker_ids: [1] });
  add('POST', '/v1/accounts/stranger/credits', 409, { amount: 999_999_999, reason: 'x' }, admin);
  add('PUT', `${media.video}/faces/99/personality-traits`, 404, { personality_traits: {} }, worker);
  add('DELETE', `${media.video}/tags/not%20a%20key`, 404);
  add('DELETE', `${media.video}/tags/vpm.a`, 404);
  const session = await newSession(api);
  add('POST', `${session}/offer`, 400, { type: 'offer', sdp: 'x' });
  add('POST', `${session}/ice`, 400, { candidate: 'x' });
  add('DELETE', session, 409);
  return { refusals, log: () => getAllEvents(admin) };
};
