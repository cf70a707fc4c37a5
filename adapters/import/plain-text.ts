import { decodeHTML } from 'entities';

/** Text without tags and character references, in single spaces. A `<` that no `>` follows is text. */
export const plainText = (text: string): string =>
  decodeHTML(text.replaceAll(/<\/?(?:[a-z0-9.:][^<>]*)?>/gi, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
