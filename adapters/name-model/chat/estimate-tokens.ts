const letterOrSpace = /[A-Za-z ]/;
const shortlyEscaped = /["\\\n\r\t]/;
/** Written as `\\uXXXX` in the data of the prompt. */
const escaped = /[<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const ascii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (shortlyEscaped.test(character)) return 2;
  if (escaped.test(character)) return 6;
  return letterOrSpace.test(character) ? 0.4 : 1;
});

/**
 * How many tokens a character costs at most, as a rule. Tokenisers differ, so this errs on the high side: 2.5 letters a
 * token (English has 4 or more), a token for each digit and sign, one less than its UTF-8 bytes for any other character.
 */
export const characterTokens = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return ascii[code] ?? 1;
  if (escaped.test(character)) return 6;
  if (code < 0x8_00) return 1;
  return code < 0x1_00_00 ? 2 : 3;
};

/** A careful estimate of the tokens of a text, without its model's tokeniser. */
export const estimateTokens = (text: string): number => {
  let tokens = 0;
  for (const character of text) tokens += characterTokens(character);
  return Math.ceil(tokens);
};
