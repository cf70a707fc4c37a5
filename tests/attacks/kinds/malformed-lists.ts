import * as t from 'io-ts';
import { type BodiedEndpoint, bodiedEndpoints } from '../../support/e2e/bodied-endpoints.js';
import { analysisLimit, gzipHeader, gzipped, listOf, usualLimit } from '../support/bodies.js';
import { type OwnedMedia, ownedMedia } from '../support/media.js';
import type { Attack, Scene } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';

/** Placeholder for a list. */
const gap = '\u0001list\u0001';

/** The body with each of its lists replaced, one at a time, by the placeholder. */
const withListGap = (body: unknown): ReadonlyArray<unknown> => {
  if (t.UnknownArray.is(body))
    return [gap, ...body.slice(0, 1).flatMap((item) => withListGap(item).map((inner) => [inner]))];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => withListGap(value).map((inner) => ({ ...body, [key]: inner })));
};

interface Keyed {
  readonly endpoint: BodiedEndpoint;
  readonly key: string;
}

const endpointsOf = (scene: Scene, media: OwnedMedia): ReadonlyArray<Keyed> => {
  const owner = scene.client(media.owner);
  const worker = scene.client(media.worker);
  const inference = { target_speaker_ids: [1], infer_roles: true };
  const suggestions = `${media.audio}/speaker-name-inference/suggestions`;
  return [
    ...bodiedEndpoints({ owner, worker, admin: scene.admin }, media),
    { method: 'POST' as const, path: suggestions, client: owner, body: inference },
  ].flatMap((endpoint) => {
    if (endpoint.client === scene.admin) return [];
    return [{ endpoint, key: endpoint.client === worker ? media.worker : media.owner }];
  });
};

/** Every list of every body, filled up to the limit of bodies with the same item. */
const overfull = (keyed: ReadonlyArray<Keyed>, item: string, compressed: boolean): ReadonlyArray<AttackRequest> => {
  return keyed.flatMap(({ endpoint: { method, path, body }, key }) =>
    withListGap(body).map((filled) => {
      const json = JSON.stringify(filled).replace(JSON.stringify(gap), () => listOf(item, usualLimit - 100_000));
      return compressed
        ? { method, path, key, headers: gzipHeader, body: gzipped(json) }
        : { method, path, key, body: json };
    }),
  );
};

const items = ['{}', 'null', '0', '""', '[]', '{"speaker_id":-1}', '{"face_id":1,"speaker_id":1}'];

export const malformedLists: ReadonlyArray<Attack> = [
  {
    name: 'list-of-empty-objects',
    about: 'lists of 700,000 invalid items in every request body with a list, one after another',
    run: async (scene) => {
      const keyed = endpointsOf(scene, await ownedMedia(scene, 'lists'));
      await scene.sendAll('plain', overfull(keyed, '{}', false), 2);
    },
  },
  {
    name: 'compressed-lists',
    about: 'lists of invalid items as 10 kB of gzip, eight at once',
    run: async (scene) => {
      const keyed = endpointsOf(scene, await ownedMedia(scene, 'compressed'));
      await scene.sendAll('gzip', overfull(keyed, '{}', true), 8);
    },
  },
  {
    name: 'other-bad-lists',
    about: 'lists of nulls, numbers, texts, lists, negative ids, and of one repeated item',
    long: true,
    run: async (scene) => {
      const keyed = endpointsOf(scene, await ownedMedia(scene, 'other'));
      for (const item of items.slice(1)) await scene.sendAll(item, overfull(keyed, item, true), 4);
    },
  },
  {
    name: 'overfull-analyses',
    about: 'analyses of 64 MiB that are lists of empty items, with a permitted key',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'analyses');
      const bytes = scene.size(analysisLimit - 1_000, 40_000_000);
      const path = `${media.video}/analysis`;
      const bodies = [
        `{"status":"completed","faces":${listOf('{}', bytes)}}`,
        `{"status":"completed","faces":[{"id":1,"tracks":${listOf('{}', bytes)}}]}`,
        `{"status":"completed","faces":[{"id":1,"tracks":[],"captions":${listOf('{"start":0}', bytes)}}]}`,
      ];
      for (const body of bodies) {
        await scene.sendAll('plain', [{ method: 'PUT', path, key: media.worker, body }]);
        const zipped = { method: 'PUT', path, key: media.worker, headers: gzipHeader, body: gzipped(body) };
        await scene.sendAll('gzip', [zipped, zipped]);
      }
    },
  },
];
