import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { type WantedTags, registerTagKey, writeTags } from '../../application/use-cases/tags/write-tags.js';
import { registerVideo } from '../../application/use-cases/videos/register.js';
import { readHistoryPage } from '../../application/queries/events.js';
import { videoViewAt } from '../support/kill-nine/log.js';
import { video, type World, world } from '../support/application/world.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { registryEntry, videoId } from '../support/values.js';
import { shortOrLong } from '../support/long-form.js';

const id = videoId('v');

/** Keys that importers may write, with valid and invalid values, and keys that they may not write. */
const sent = fc.oneof(
  fc.record({ key: fc.constantFrom('vpm.a', 'vpm.b', 'survey.c'), value: fc.constantFrom('x', 'y', '') }),
  fc.record({ key: fc.constant('demo.age'), value: fc.constantFrom(1, 2) }),
);
const wrong = fc.constantFrom(
  { key: 'demo.age', value: 'old' },
  { key: 'label.a', value: 'x' },
  { key: 'nobody.knows', value: 'x' },
  { key: 'VPM.a', value: 'x' },
);
const selector = ({ key }: { readonly key: string }): string => key;
const good = fc.uniqueArray(sent, { selector, minLength: 1, maxLength: 4 });
const source = fc.constantFrom('importer.one', 'importer.two');

const open = async () => {
  const { store, close } = await openInMemory();
  const place = world(store);
  await succeeded(registerVideo(place.app, place.request(), video('v')));
  await succeeded(registerTagKey(place.app, place.request(), registryEntry('demo.age', 'demographic', 'number')));
  return { place, close };
};
const send = ({ app, request }: World, wanted: Pick<WantedTags, 'source' | 'tags'>, dry_run = false) =>
  writeTags(app, request(), id, { by: 'importer', dry_run, ...wanted })();
const historyOf = ({ app }: World) => succeeded(readHistoryPage(app.store, 'video-v', -1, 10_000));
const shown = async (place: World) =>
  (videoViewAt(await historyOf(place))?.record.tags ?? []).map(({ key, value, source: from }) => [key, [value, from]]);

describe('imports of tags', () => {
  it('in any order give the same as a map of the last values, with or without dry runs and refused requests', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ source, tags: good, bad: fc.option(wrong), dry: fc.boolean() }), { maxLength: 12 }),
        async (imports) => {
          const { place, close } = await open();
          const model = new Map<string, unknown>();
          for (const { source: from, tags, bad, dry } of imports) {
            const before = await historyOf(place);
            if (bad !== null) {
              expect(E.isLeft(await send(place, { source: from, tags: [...tags, bad] }))).to.equal(true);
              expect(await historyOf(place)).to.deep.equal(before);
            }
            const tried = dry ? await send(place, { source: from, tags }, true) : null;
            if (tried !== null) expect(await historyOf(place)).to.deep.equal(before);
            const known = new Map(model);
            tags.forEach(({ key, value }) => model.set(key, [value, from]));
            const answer = await send(place, { source: from, tags });
            if (tried !== null) expect(answer).to.deep.equal(tried);
            const keys = tags.map(selector);
            const stands = (key: string) => JSON.stringify(known.get(key)) === JSON.stringify(model.get(key));
            expect(answer).to.deep.equal(
              E.right({
                created: keys.filter((key) => !known.has(key)),
                updated: keys.filter((key) => known.has(key) && !stands(key)),
                unchanged: keys.filter((key) => known.has(key) && stands(key)),
              }),
            );
            expect(await historyOf(place)).to.have.length(before.length + (keys.every(stands) ? 0 : 1));
          }
          expect(
            new Map(await shown(place).then((tags) => tags.map(([key, value]) => [key, value] as const))),
          ).to.deep.equal(model);
          await close();
        },
      ),
      { numRuns: shortOrLong(20, 100) },
    )).timeout(60_000);
});
