/* Times and numbers are written in the user's locale. */
const locale = typeof navigator === 'undefined' ? undefined : navigator.language;
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
const measures = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const tenthsOf = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const precisePercents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

export const date = (timestamp: string | null): string => (timestamp === null ? '' : dates.format(new Date(timestamp)));
/** The time of day of a moment. */
export const clock = (timestamp: string): string => clocks.format(new Date(timestamp));
/** A day such as `2026-11-22`, in UTC as in the API. */
export const day = (text: string): string => days.format(new Date(text));
/** A position of the log, which may begin with zeros, as a number. */
export const withoutZeros = (position: string): string => position.replace(/^0+(?=.)/, '');
/** An exact number, such as an amount. */
export const number = (value: number): string => numbers.format(value);
/** A measured number, with one decimal. */
export const measure = (value: number): string => measures.format(value);

const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** A duration in words: 7,200 seconds are `2 hours`. */
export const duration = (seconds: number): string => {
  const unit = (['day', 'hour', 'minute'] as const).find((one) => seconds % units[one] === 0) ?? 'second';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / units[unit]);
};

/** Below 1 % and above 99 % with one decimal, so that 99.9 % is not shown as 100 %. */
export const percent = (value: number): string =>
  (value > 0.99 && value < 1) || (value > 0 && value < 0.01) ? precisePercents.format(value) : percents.format(value);

const padded = (part: number): string => String(part).padStart(2, '0');

/** A media time: `1:02:03`, or with tenths `2:03.4`. */
export const time = (seconds: number, tenths = false): string => {
  // Rounding errors can make a whole second slightly less.
  const whole = Math.floor(seconds + 1e-6);
  const [h, m, s] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  // `0.3` without its zero, so that the decimal separator of the locale is kept.
  const tenth = Math.max(0, Math.floor((seconds - whole) * 10 + 1e-6)) / 10;
  const rest = tenths ? tenthsOf.format(tenth).slice(1) : '';
  return `${h > 0 ? `${h}:${padded(m)}` : m}:${padded(s)}${rest}`;
};

const moments = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The errors for which the service did not answer: those of the client, of `fetch` and of `import`. */
const withoutAnswer = /^(?:ConnectionError|TimeoutError|TypeError)$/;
const failedFetch = /failed to fetch|load failed|networkerror/i;

/** The message of an error, for people: without addresses of requests, and with times in the user's locale. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { name, message } = error;
  if (withoutAnswer.test(name) && (name !== 'TypeError' || failedFetch.test(message)))
    return 'The service did not answer. Check the network connection and try again.';
  if (name === 'MalformedAnswerError')
    return 'The service gave an answer that this page does not understand. Load the page again.';
  return message.replace(moments, (moment) => date(moment));
};
