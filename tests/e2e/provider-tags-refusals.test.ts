import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import { expectBadTags } from '../support/e2e/tags.js';

const good = { key: 'vpm.good', value: 'x' };

describe('POST provider-tags refuses', () => {
  const api = useTestApi();

  before('keys of every type are registered', async () => {
    for (const value_type of ['string', 'number', 'boolean', 'string_list'])
      await expectOk(api().admin.put(`/v2/tag-registry/demo.a_${value_type}`, { category: 'demographic', value_type }));
  });

  /** Refusals do not change media, so all tests share these. */
  let media: Media;
  before(async () => {
    media = await createMedia(api());
  });

  const post = (body: unknown) =>
    expectNothingWritten(api(), media, () => api().owner.post(`${media.video}/provider-tags`, body));
  const send = (...tags: ReadonlyArray<object>) => post({ source: 'importer.vpm', tags: [good, ...tags] });

  it('callers without permission, in the order of the contract', async () => {
    const [path, none] = [`${media.video}/provider-tags`, '/v2/videos/none/provider-tags'];
    expectText(await api().anonymous.post(none, 7), 401);
    expectCode(await api().stranger.post(none, 7), 404, 'unknown_video');
    for (const caller of [api().stranger, api().worker, api().mediaWriter])
      expectCode(await caller.post(path, 7), 401, 'not_authorised');
    expectMalformed(await api().owner.post(path, { source: 'user.x', tags: [{ key: 7, value: 1 }] }), 'tags[0].key');
  });

  it('a body of another shape: 422', async () => {
    const source = 'importer.vpm';
    expectMalformed(await post(undefined));
    expectMalformed(await post({ source }), 'tags');
    expectMalformed(await post({ tags: [good] }), 'source');
    expectMalformed(await post({ source: 7, tags: [good] }), 'source');
    expectMalformed(await post({ source, tags: 'x' }), 'tags');
    expectMalformed(await post({ source, tags: [] }), 'tags');
    expectMalformed(await post({ source, tags: [null] }), 'tags[0]');
    expectMalformed(await post({ source, tags: [good, { key: 'vpm.x' }] }), 'tags[1].value');
    expectMalformed(await post({ source, tags: [{ value: 1 }] }), 'tags[0].key');
    expectMalformed(await post({ source, tags: [good], dry_run: 'yes' }), 'dry_run');
  });

  it('1,001 tags: 422', async () => {
    const tags = Array.from({ length: 1_001 }, (_, index) => ({ key: `vpm.k${index}`, value: 'x' }));
    expectMalformed(await post({ source: 'importer.vpm', tags }), 'tags');
  });

  it('tags that are too large for one event: 413', async () => {
    const tags = Array.from({ length: 1_000 }, (_, index) => ({ key: `vpm.k${index}`, value: 'x'.repeat(1_000) }));
    expectCode(await post({ source: 'importer.vpm', tags }), 413, 'payload_too_large');
  });

  for (const source of [
    '',
    'vpm',
    'importer',
    'importer.',
    'user.owner',
    'Importer.vpm',
    'importer. vpm',
    ' importer.a',
  ])
    it(`the source "${source}": source_not_importer, for every key`, async () => {
      expectBadTags(
        await post({ source, tags: [good, { key: 'nobody.knows', value: 1 }] }),
        'source_not_importer',
        ['vpm.good', 'source_not_importer'],
        ['nobody.knows', 'source_not_importer'],
      );
    });

  it('keys that are not in the registry, or are not valid: unregistered_key', async () => {
    const keys = ['nobody.knows', 'vpm', 'vpmx.a', 'VPM.a', 'vpm.', '.vpm', 'vpm..a', 'vpm.*', 'vpm. a', '', '_'];
    keys.push('__proto__', 'constructor', 'vpm.ä', 'vpm.a:b', `vpm.${'x'.repeat(125)}`);
    expectBadTags(
      await send(...keys.map((key) => ({ key, value: 'x' }))),
      'unregistered_key',
      ...keys.map((key) => [key, 'unregistered_key'] as const),
    );
  });

  it('keys of the pipeline, labels and users: category_not_importable', async () => {
    expectBadTags(
      await send({ key: 'system.a', value: 'x' }, { key: 'label.b', value: 'x' }, { key: 'user.c.d', value: 'x' }),
      'category_not_importable',
      ['system.a', 'category_not_importable'],
      ['label.b', 'category_not_importable'],
      ['user.c.d', 'category_not_importable'],
    );
  });

  const values: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    string: [7, true, null, ['x'], {}, 'x'.repeat(2_001)],
    number: ['7', true, null, [7], {}],
    boolean: ['true', 1, null, [true], {}],
    string_list: ['x', 7, null, [7], [null], [['x']], {}, Array(101).fill('x'), Array(3).fill('x'.repeat(667))],
  };
  for (const [type, wrong] of Object.entries(values))
    it(`values of another type than ${type}: bad_value`, async () => {
      const key = `demo.a_${type}`;
      for (const value of wrong) expectBadTags(await send({ key, value }), 'bad_value', [key, 'bad_value']);
    });

  it('numbers and texts that are valid in JSON but not in a tag: bad_value', async () => {
    for (const [key, value] of [
      ['demo.a_number', '1e999'],
      ['demo.a_string', '"\\ud800"'],
      ['demo.a_string_list', '["\\udc00"]'],
    ] as const) {
      const body = `{"source":"importer.vpm","tags":[{"key":"${key}","value":${value}}]}`;
      expectBadTags(await api().owner.raw('POST', `${media.video}/provider-tags`, body), 'bad_value', [
        key,
        'bad_value',
      ]);
    }
  });

  it('a key that appears twice, with the same value too: duplicate_key, once', async () => {
    expectBadTags(await send(good, good), 'duplicate_key', ['vpm.good', 'duplicate_key']);
    expectBadTags(await send({ key: 'vpm.good', value: 'y' }), 'duplicate_key', ['vpm.good', 'duplicate_key']);
  });

  it('all of a request, and names every bad key with its own reason', async () => {
    expectBadTags(
      await send(
        { key: 'nobody.knows', value: 1 },
        { key: 'vpm.fine', value: 'x' },
        { key: 'label.b', value: 1 },
        { key: 'vpm.number', value: 1 },
        good,
      ),
      'tags_refused',
      ['nobody.knows', 'unregistered_key'],
      ['label.b', 'category_not_importable'],
      ['vpm.number', 'bad_value'],
      ['vpm.good', 'duplicate_key'],
    );
  });
});
