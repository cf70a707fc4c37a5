import { messageOf } from './protobuf.js';

/* `persistent_subscriptions.ReadReq`; the fields of each message stand in it from the last to the first. */

const uuidText = 2;

/** Asks for the events of a group that reads the whole log, at most so many at a time that are not acknowledged. */
export const joinRequest = (group: string, ahead: number): Buffer =>
  messageOf(({ message, text, integer }) =>
    message(1, () => {
      text(5, '');
      message(4, () => text(uuidText, ''));
      integer(3, ahead);
      text(2, group);
    }),
  );

/** These events are done. */
export const acknowledgement = (ids: ReadonlyArray<string>): Buffer =>
  messageOf(({ message, text }) =>
    message(2, () => ids.toReversed().forEach((id) => message(2, () => text(uuidText, id)))),
  );
