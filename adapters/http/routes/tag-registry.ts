import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { readTagRegistry, registerTagKey } from '../../../application/use-cases/tags/tag-registry.js';
import { RegistryKey, isFilterable } from '../../../domain/tag-registry/tag.js';
import { TagRegistryEntry } from '../../../domain/tag-registry/contract.js';
import { TagRegistry } from '../answers/tags.js';
import { TagRegistryBody } from '../codecs/tags.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { type Service, adminAlone, anyone } from '../service.js';

/** As it stands in the log, with the revision as its ETag once something was registered. */
const show = (service: Service): Endpoint =>
  withoutBody({ operation: 'tagRegistry.list', answer: TagRegistry, headers: ['ETag'] }, anyone, () =>
    pipe(
      readTagRegistry(service.app),
      TE.map(({ entries, revision }) => ({
        body: { entries },
        ...(revision === null ? {} : { headers: { ETag: `"${revision}"` } }),
      })),
    ),
  );

const register = (service: Service): Endpoint =>
  withBody(
    { operation: 'tagRegistry.register', answer: TagRegistryEntry, refuses: ['BadRegistryKey'] },
    TagRegistryBody,
    adminAlone,
    ({ params, request }, _, { category, value_type, description = null }) => {
      const { key } = params;
      if (!RegistryKey.is(key) || !isFilterable(key)) return TE.left({ _tag: 'BadRegistryKey' });
      const entry = { key, category, value_type, description };
      return pipe(
        registerTagKey(service.app, request, entry),
        TE.chainW(() => ok(entry)),
      );
    },
  );

export const tagRegistryEndpoints = (service: Service): ReadonlyArray<Endpoint> => [show(service), register(service)];
