import type { Talk } from './talks.js';

export const seconds = (tenths: number): number => tenths / 10;
export const millis = (tenths: number): number => tenths * 100;
export const text = (tenths: number): string => seconds(tenths).toFixed(1);
export const clock = (tenths: number, mark: string): string => {
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
  const whole = Math.floor(tenths / 10);
  return `${pad(Math.floor(whole / 3600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}${mark}${tenths % 10}00`;
};

export const escaped = (plain: string): string => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export interface Writer {
  /** Whether the document has the names; else speakers have labels only. */
  readonly named: boolean;
  /** The format tells no speakers apart. */
  readonly anonymous?: true;
  /** Whether the document has the texts; else turns only. */
  readonly spoken: boolean;
  readonly write: (talk: Talk) => object | string;
}

export const cues = (talk: Talk, mark: string, label: (name: string, said: string) => string): string =>
  talk.said
    .map(
      (one, index) =>
        `${index + 1}\n${clock(one.start, mark)} --> ${clock(one.end, mark)}\n${label(talk.names[one.speaker] ?? '', one.text)}\n`,
    )
    .join('\n');
