import type { Clock } from '../../../application/ports/clock.js';
import type { Config } from '../../../adapters/config/config.js';
import type { HttpClient } from '../http-client.js';
import { type World, startWorld } from '../world.js';

/** Everybody who may call a service. */
export interface Callers {
  readonly admin: HttpClient;
  readonly owner: HttpClient;
  /** Another account, which owns none of the owner's media. */
  readonly stranger: HttpClient;
  readonly worker: HttpClient;
  readonly mediaWriter: HttpClient;
  readonly anonymous: HttpClient;
}

/** A service, and everybody who may call it. */
export interface Cast extends Callers {
  readonly world: World;
}

export const openCast = async (config: Partial<Config> = {}, clock?: Clock): Promise<Cast> => {
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

/** One service for the tests of a `describe`; the cast is there once they run. */
export const castOfAll = (config: Partial<Config> = {}, clock?: Clock): (() => Cast) => {
  let cast: Cast | null = null;
  before(async () => {
    cast = await openCast(config, clock);
  });
  after(() => cast?.world.end());
  return () => {
    if (cast === null) throw new Error('the cast is there in tests alone');
    return cast;
  };
};
