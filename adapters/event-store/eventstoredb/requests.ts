import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { toCommit } from './position.js';

const { Options } = streams.ReadReq;
type Request = InstanceType<typeof streams.ReadReq>;
type OptionsMessage = InstanceType<typeof Options>;

/** A filter for the server: a regular expression for event types or stream names. */
export interface ServerFilter {
  readonly on: 'type' | 'stream';
  readonly regex: string;
}

/** Excludes system events of the server; the checkpoints of this service have types of the same form. */
export const noSystemEvents: ServerFilter = { on: 'type', regex: '^[^$]' };

const base = (): OptionsMessage => {
  const uuids = new Options.UUIDOption();
  uuids.setString(new shared.Empty());
  return new Options().setUuidOption(uuids).setResolveLinks(false);
};

const request = (options: OptionsMessage): Request => new streams.ReadReq().setOptions(options);

const filterMessage = ({ on, regex }: ServerFilter) => {
  const expression = new Options.FilterOptions.Expression().setRegex(regex);
  const filter = new Options.FilterOptions().setMax(500).setCheckpointintervalmultiplier(1);
  return on === 'type' ? filter.setEventType(expression) : filter.setStreamIdentifier(expression);
};

/** The log from a position, inclusive; from the beginning if null. */
const allFrom = (from: Position | null) => {
  const all = new Options.AllOptions();
  if (from === null) return all.setStart(new shared.Empty());
  const commit = String(toCommit(from));
  return all.setPosition(new Options.Position().setCommitPosition(commit).setPreparePosition(commit));
};

/** The events of a stream from a revision, oldest first. */
export const readStreamRequest = (stream: string, fromRevision: number, limit: number): Request =>
  request(
    base()
      .setStream(
        new Options.StreamOptions()
          .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64')))
          .setRevision(String(fromRevision)),
      )
      .setReadDirection(0)
      .setCount(String(limit))
      .setNoFilter(new shared.Empty()),
  );

/** The events of a stream, newest first. */
export const readBackwardsRequest = (stream: string, limit: number): Request =>
  request(
    base()
      .setStream(
        new Options.StreamOptions()
          .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64')))
          .setEnd(new shared.Empty()),
      )
      .setReadDirection(1)
      .setCount(String(limit))
      .setNoFilter(new shared.Empty()),
  );

/** The events of all streams that pass the filter, oldest first. Throws on a position of another store. */
export const readAllRequest = (from: Position | null, filter: ServerFilter, limit: number): Request =>
  request(base().setAll(allFrom(from)).setReadDirection(0).setCount(String(limit)).setFilter(filterMessage(filter)));

/** The newest event that is not a system event. */
export const readLastRequest = (): Request =>
  request(
    base()
      .setAll(new Options.AllOptions().setEnd(new shared.Empty()))
      .setReadDirection(1)
      .setCount('1')
      .setFilter(filterMessage(noSystemEvents)),
  );

/** The last event of the log, including system events. */
export const readEndRequest = (): Request =>
  request(
    base()
      .setAll(new Options.AllOptions().setEnd(new shared.Empty()))
      .setReadDirection(1)
      .setCount('1')
      .setNoFilter(new shared.Empty()),
  );

/** All events after a position, and then new ones. Throws on a position of another store. */
export const subscribeRequest = (after: Position | null): Request =>
  request(
    base()
      .setAll(allFrom(after))
      .setReadDirection(0)
      .setSubscription(new Options.SubscriptionOptions())
      .setFilter(filterMessage(noSystemEvents)),
  );
