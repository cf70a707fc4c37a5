/** Times and numbers as the reader's locale writes them. */
const locale = typeof navigator === 'undefined' ? undefined : navigator.language;
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
const nearEnds = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

export const date = (timestamp: string | null): string => (timestamp === null ? '' : dates.format(new Date(timestamp)));
export const number = (value: number): string => numbers.format(value);

/** Near the ends a tenth tells what is nearly sure from what is. */
export const percent = (value: number): string =>
  (value > 0.99 && value < 1) || (value > 0 && value < 0.01) ? nearEnds.format(value) : percents.format(value);

const padded = (part: number): string => String(part).padStart(2, '0');

/** A media time: `1:02:03`, or with tenths `2:03.4`. */
export const time = (seconds: number, tenths = false): string => {
  // What is meant to be a whole second may be a little less.
  const whole = Math.floor(seconds + 1e-6);
  const [h, m, s] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const rest = tenths ? `.${Math.max(0, Math.floor((seconds - whole) * 10 + 1e-6))}` : '';
  return `${h > 0 ? `${h}:${padded(m)}` : m}:${padded(s)}${rest}`;
};

/** What a failure says to a person. */
export const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
