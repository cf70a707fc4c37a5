import { changeVideo } from '../../application/use-cases/videos/change-video.js';
import { type WantedTags, registerTagKey, writeTags } from '../../application/use-cases/tags/write-tags.js';
import { registerVideo } from '../../application/use-cases/videos/register.js';
import { video } from './application/media.js';
import type { World } from './application/world.js';
import { succeeded } from './event-store/outcomes.js';
import { registryEntry, tagKey } from './tags.js';
import { videoId } from './values.js';

/** A key that is registered and changed, tags that are imported twice, and a user's tag that is removed. */
export const recordTags = async ({ app, request, pass }: World): Promise<void> => {
  const tagged = videoId('tagged');
  await succeeded(registerVideo(app, request(), video('tagged')));
  await succeeded(registerTagKey(app, request(), registryEntry('survey.likes', 'survey', 'number')));
  await succeeded(registerTagKey(app, request(), registryEntry('survey.likes', 'survey', 'string_list')));
  const write = (parts: Pick<WantedTags, 'by' | 'source' | 'tags'>) =>
    succeeded(writeTags(app, request(), tagged, { dry_run: false, ...parts }));
  const imported = { by: 'importer', source: 'importer.panel' } as const;
  await write({ ...imported, tags: [{ key: 'survey.likes', value: ['tea', 'Müsli'] }] });
  pass(1);
  await write({
    ...imported,
    tags: [
      { key: 'survey.likes', value: ['tea'] },
      { key: 'demo.age', value: '30-39' },
    ],
  });
  await write({ by: 'user', source: 'user.owner', tags: [{ key: 'label.todo', value: 'check' }] });
  pass(1);
  const at = request().at;
  await succeeded(changeVideo(app, request(), tagged, { type: 'RemoveTag', key: tagKey('label.todo'), at }));
};
