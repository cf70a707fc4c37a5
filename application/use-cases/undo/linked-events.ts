import type { RequestEvent } from '../../ports/request-events.js';

/**
 * The events that are transitively linked to the first ones: one caused the other, or both have the same cause. The order
 * is that of `all`.
 */
const linkedTo = (
  first: ReadonlyArray<RequestEvent>,
  all: ReadonlyArray<RequestEvent>,
): ReadonlyArray<RequestEvent> => {
  const [ids, causes] = [new Set<string>(), new Set<string>()];
  const withDirectLinks = (some: ReadonlyArray<RequestEvent>): ReadonlyArray<RequestEvent> => {
    for (const { event_id, causation_id } of some) {
      ids.add(event_id);
      causes.add(causation_id);
    }
    return all.filter(
      ({ event_id, causation_id }) =>
        ids.has(event_id) || ids.has(causation_id) || causes.has(event_id) || causes.has(causation_id),
    );
  };
  let linked = withDirectLinks(first);
  for (let more = withDirectLinks(linked); more.length > linked.length; more = withDirectLinks(linked)) linked = more;
  return linked;
};

/**
 * The events of the change that an event belongs to, by their causes: request ids alone may repeat. `all` are in log order.
 * An event of another stream without a link belongs to the last change before it with its request id.
 */
export const eventsOfChange = (event: RequestEvent, all: ReadonlyArray<RequestEvent>): ReadonlyArray<RequestEvent> => {
  const linked = linkedTo([event], all);
  const last = all.findLast(({ position }) => position < event.position);
  return linked.length > 0 || last === undefined ? linked : linkedTo([last], all);
};
