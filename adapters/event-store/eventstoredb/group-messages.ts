import { messageOf } from './protobuf.js';

/* `persistent_subscriptions.ReadReq`; the fields of each message are written from the last to the first. */

const uuidText = 2;

/** Joins a group on the whole log, with at most `ahead` unacknowledged events at a time. */
export const joinRequest = (group: string, ahead: number): Buffer =>
  messageOf(({ message, text, integer }) =>
    message(1, () => {
      text(5, '');
      message(4, () => text(uuidText, ''));
      integer(3, ahead);
      text(2, group);
    }),
  );

/** Acknowledges these events. */
export const acknowledgement = (ids: ReadonlyArray<string>): Buffer =>
  messageOf(({ message, text }) =>
    message(2, () => ids.toReversed().forEach((id) => message(2, () => text(uuidText, id)))),
  );
