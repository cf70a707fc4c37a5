import * as t from 'io-ts';
import { type HttpClient, bodyOf } from '../http-client.js';

const Page = t.type({ events: t.array(t.UnknownRecord), next_cursor: t.union([t.string, t.null]) });

/** All events of the log, as an administrator sees them. */
export const getAllEvents = async (admin: HttpClient): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const events: Array<Record<string, unknown>> = [];
  for (let cursor: string | null = null; ;) {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = bodyOf(Page, await admin.get(`/v1/audit/events?limit=1000${more}`));
    events.push(...page.events);
    if (page.next_cursor === null) return events;
    cursor = page.next_cursor;
  }
};
