import type { Clock } from '../../../application/ports/clock.js';
import type { Config } from '../../../adapters/config/config.js';
import type { HttpClient } from '../http-client.js';
import { type World, startWorld } from '../world.js';

/** HTTP clients of a service, one for each kind of caller. */
export interface Callers {
  readonly admin: HttpClient;
  /** The account that owns the media of the tests. */
  readonly owner: HttpClient;
  /** Another account, which owns none of the owner's media. */
  readonly stranger: HttpClient;
  /** An account with the permission WORKER. */
  readonly worker: HttpClient;
  /** An account with the permission MEDIA_WRITE. */
  readonly mediaWriter: HttpClient;
  /** Sends no API key. */
  readonly anonymous: HttpClient;
}

/** A running service and its callers. */
export interface TestApi extends Callers {
  readonly world: World;
}

/** Starts a service. The test ends it with `world.end()`. */
export const openTestApi = async (config: Partial<Config> = {}, clock?: Clock): Promise<TestApi> => {
  const world = await startWorld(config, undefined, clock);
  return {
    world,
    admin: world.admin,
    anonymous: world.anonymous,
    owner: await world.client('owner'),
    stranger: await world.client('stranger'),
    worker: await world.client('worker', { permissions: ['WORKER'] }),
    mediaWriter: await world.client('media-writer', { permissions: ['MEDIA_WRITE'] }),
  };
};

/** Starts one service before the tests of a `describe` and stops it after them. Call the result inside tests only. */
export const useTestApi = (config: Partial<Config> = {}, clock?: Clock): (() => TestApi) => {
  let api: TestApi | null = null;
  before(async () => {
    api = await openTestApi(config, clock);
  });
  after(() => api?.world.end());
  return () => {
    if (api === null) throw new Error('the service runs only while tests run: call this inside a test');
    return api;
  };
};
