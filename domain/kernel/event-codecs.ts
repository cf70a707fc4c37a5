import * as t from 'io-ts';

/** Event codecs by event type. */
export type EventCodecs = Readonly<Record<string, t.Mixed>>;

/** The union of the events in a table of codecs. */
export type EventOf<Codecs extends EventCodecs> = {
  readonly [Type in keyof Codecs & string]: { readonly type: Type; readonly data: t.TypeOf<Codecs[Type]> };
}[keyof Codecs & string];

/** Makes a type guard for the events in a table of codecs. */
export const isEventOf =
  <Codecs extends EventCodecs>(codecs: Codecs) =>
  (event: { readonly type: string }): event is EventOf<Codecs> =>
    event.type in codecs;

/** A value that may be null but never missing. */
export const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);
