import * as t from 'io-ts';
import { bodyOf } from '../http-client.js';
import type { Callers } from '../e2e/test-api.js';

const Events = t.type({ events: t.array(t.type({ position: t.string, type: t.string })) });

/** The streams of a medium, by the path of its record. */
const streamsOf = (path: string): ReadonlyArray<string> => {
  const [, kind, id = ''] = /^\/v2\/(video|audio)s\/(.+)$/.exec(path) ?? [];
  const categories = kind === 'video' ? ['video', 'faceTracks'] : ['audio', 'speakerTurns', 'transcript'];
  return categories.map((category) => `${category}-${id}`);
};

/** The events that were written to the streams of a medium after its erasure. */
export const eventsAfterErasure = async (
  { admin }: Pick<Callers, 'admin'>,
  path: string,
  position: string,
): Promise<ReadonlyArray<string>> => {
  const found: string[] = [];
  for (const stream of streamsOf(path)) {
    const { events } = bodyOf(
      Events,
      await admin.get(`/v1/audit/events?stream=${encodeURIComponent(stream)}&limit=1000`),
    );
    found.push(...events.filter((event) => event.position > position).map(({ type }) => `${stream} ${type}`));
  }
  return found;
};
