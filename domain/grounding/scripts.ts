/** Scripts whose letters are easily taken for another's. */
const european = ['Latn', 'Cyrl', 'Grek', 'Copt', 'Armn', 'Geor', 'Cher', 'Lisu', 'Goth', 'Dsrt'];

/** What people write one name in (Unicode Technical Standard 39, "highly restrictive"). */
const namePatterns = (): readonly RegExp[] => [
  ...european.map((script) => new RegExp(String.raw`^\p{scx=${script}}+$`, 'u')),
  /^[\p{scx=Latn}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+$/u,
  /^[\p{scx=Latn}\p{scx=Han}\p{scx=Bopo}]+$/u,
  /^[\p{scx=Latn}\p{scx=Han}\p{scx=Hang}]+$/u,
];

const makePatterns = () => ({
  together: namePatterns(),
  anyEuropean: new RegExp(`[${european.map((script) => String.raw`\p{scx=${script}}`).join('')}]`, 'u'),
});

/** Made when they are first used: that takes 50 ms. */
let made: ReturnType<typeof makePatterns> | undefined;
const notLetters = /[^\p{L}]+|[\u02B0-\u02FF]+/gu;

/** Whether letters of scripts that do not go together stand in one name, as when a Cyrillic `о` stands for `o`. */
export const mixesScripts = (name: string): boolean => {
  const letters = name.replace(notLetters, '');
  const { together, anyEuropean } = (made ??= makePatterns());
  return anyEuropean.test(letters) && !together.some((scripts) => scripts.test(letters));
};

/** Cyrillic and Greek letters, each before the Latin letter that it looks like, in small or in capital form. */
const pairs = 'аaеeоoрpсcхxуyіiјjѕsԁdһhвbкkмmнhтtαaεeοoρpνvτtυuιiκkχxηnβb';
const lookalikes = new Map(
  Array.from(pairs.matchAll(/(.)(.)/gu), ([, from = '', to = '']): [string, string] => [from, to]),
);

/** A folded name as the eye sees it: what looks like a Latin letter is one. */
export const asSeen = (folded: string): string =>
  Array.from(folded, (letter) => lookalikes.get(letter) ?? letter).join('');
