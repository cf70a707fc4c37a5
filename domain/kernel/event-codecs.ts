import * as t from 'io-ts';

/** Codecs of an aggregate's events, by type. */
export type EventCodecs = Readonly<Record<string, t.Mixed>>;

/** The union of events that a table of codecs describes. */
export type EventOf<Codecs extends EventCodecs> = {
  readonly [Type in keyof Codecs & string]: { readonly type: Type; readonly data: t.TypeOf<Codecs[Type]> };
}[keyof Codecs & string];

/** Tells the events that a table of codecs describes from others. */
export const isEventOf =
  <Codecs extends EventCodecs>(codecs: Codecs) =>
  (event: { readonly type: string }): event is EventOf<Codecs> =>
    event.type in codecs;

/** Shorthand: the value or null. An absent value is null, never missing. */
export const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);
