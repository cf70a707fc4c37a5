const letterOrSpace = /[A-Za-z ]/;
const escapedInTwo = /["\\\n\r\t]/;
/** Written as `\\uXXXX` in the prompt. */
const escaped = /[<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const ascii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (escapedInTwo.test(character)) return 2;
  if (escaped.test(character)) return 6;
  return letterOrSpace.test(character) ? 0.4 : 1;
});

/**
 * A high estimate of the tokens for one character, because tokenisers differ: 2.5 letters a token (English text has 4 or
 * more), one token for each digit and punctuation mark, and the number of UTF-8 bytes minus one for other characters.
 */
export const characterTokens = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return ascii[code] ?? 1;
  if (escaped.test(character)) return 6;
  if (code < 0x8_00) return 1;
  return code < 0x1_00_00 ? 2 : 3;
};

/** A high estimate of the tokens of a text, without the tokeniser of the model. */
export const estimateTokens = (text: string): number => {
  let tokens = 0;
  for (const character of text) tokens += characterTokens(character);
  return Math.ceil(tokens);
};
