import * as t from 'io-ts';

type Brand<Name extends string> = { readonly [Of in Name]: symbol };

/** Strings of which this holds, as a type of their own. */
export const brandedText = <Name extends string>(name: Name, holds: (text: string) => boolean) =>
  t.brand<t.StringC, Name, Brand<Name>>(t.string, (s): s is t.Branded<string, Brand<Name>> => holds(s), name);

/** Numbers of which this holds, as a type of their own. */
export const brandedNumber = <Name extends string>(name: Name, holds: (n: number) => boolean) =>
  t.brand<t.NumberC, Name, Brand<Name>>(t.number, (n): n is t.Branded<number, Brand<Name>> => holds(n), name);
