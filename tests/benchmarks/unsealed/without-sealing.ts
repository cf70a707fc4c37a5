import { type ResolveHook, register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into a service before it starts (`node --import`): it stores and reads events in clear. The service itself has
 * no such setting.
 */

const instead = new URL('./unsealed-log.js', import.meta.url).href;

export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  return found.url.endsWith('/adapters/composition/sealed-log.js') ? { ...found, url: instead } : found;
};

if (isMainThread) register(import.meta.url);
