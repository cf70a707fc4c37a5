import type { JudgedLink } from './scoring.js';

/** The links with an accuracy between two bounds: their mean accuracy, and how many of them are right. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly links: number;
  readonly claimed: number;
  readonly right: number;
}

const bounds = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1];

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

export const binsOf = (links: readonly JudgedLink[]): readonly Bin[] =>
  bounds.slice(1).flatMap((to, n) => {
    const from = bounds[n] ?? 0;
    const own = links.filter(({ accuracy }) => accuracy >= from && accuracy < to);
    const [claimed, right] = [mean(own.map(({ accuracy }) => accuracy)), mean(own.map((link) => link.right))];
    return own.length === 0 ? [] : [{ from, to, links: own.length, claimed, right }];
  });

export const binLine = ({ from, to, links, claimed, right }: Bin): string =>
  `${from.toFixed(2)} to ${to.toFixed(2)}: ${String(links).padStart(5)} links, claimed ${claimed.toFixed(3)}, right ${right.toFixed(3)}`;

const [side, margin] = [420, 60];
const inks = ['#1b6ca8', '#c8553d', '#3d8b4f'];

/** Accuracies and shares from 0.4 to 1 as coordinates of the diagram. */
const along = (value: number): string => (margin + ((value - 0.4) / 0.6) * side).toFixed(1);
const up = (value: number): string => (margin + side - ((value - 0.4) / 0.6) * side).toFixed(1);

const grid = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map(
  (value) =>
    `<path d="M${along(value)} ${up(0.4)}V${up(1)}M${along(0.4)} ${up(value)}H${along(1)}" stroke="#ddd"/>` +
    `<text x="${along(value)}" y="${margin + side + 20}" text-anchor="middle">${value}</text>` +
    `<text x="${margin - 10}" y="${up(value)}" text-anchor="end" dy="4">${value}</text>`,
);

/** A bin's share with the range of twice its standard error, half a link added to each side. */
const dot = ({ links, claimed, right }: Bin, ink: string): string => {
  const smoothed = (right * links + 0.5) / (links + 1);
  const error = 2 * Math.sqrt((smoothed * (1 - smoothed)) / links);
  const [low, high] = [Math.max(0.4, smoothed - error), Math.min(1, smoothed + error)];
  return (
    `<path d="M${along(claimed)} ${up(low)}V${up(high)}" stroke="${ink}" stroke-width="1.5"/>` +
    `<circle cx="${along(claimed)}" cy="${up(Math.max(0.4, right))}" r="4" fill="${ink}"/>`
  );
};

/** A reliability diagram: on the diagonal, the share of right links equals their accuracy. */
export const reliabilityDiagram = (
  series: readonly { readonly name: string; readonly bins: readonly Bin[] }[],
): string => {
  const drawn = series.map(({ name, bins }, n) => {
    const ink = inks[n % inks.length] ?? '#000';
    const line = bins.map(({ claimed, right }) => `${along(claimed)},${up(Math.max(0.4, right))}`).join(' ');
    return (
      `<polyline points="${line}" fill="none" stroke="${ink}" opacity=".5"/>${bins.map((bin) => dot(bin, ink)).join('')}` +
      `<text x="${along(0.43)}" y="${margin + 24 + 20 * n}" fill="${ink}">${name}</text>`
    );
  });
  const whole = side + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}" font-family="sans-serif" font-size="13">`,
    `<rect width="${whole}" height="${whole}" fill="#fff"/>`,
    ...grid,
    `<path d="M${along(0.4)} ${up(0.4)}L${along(1)} ${up(1)}" stroke="#888" stroke-dasharray="5 4"/>`,
    ...drawn,
    `<text x="${whole / 2}" y="${whole - 12}" text-anchor="middle">accuracy that the block says</text>`,
    `<text transform="translate(18 ${whole / 2}) rotate(-90)" text-anchor="middle">share of links that are right</text>`,
    `</svg>\n`,
  ].join('\n');
};
