import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { Page } from 'playwright-core';
import { isLongForm } from '../long-form.js';
import type { Tab } from './console.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the current page. */
export const violationsOf = async (page: Page): Promise<unknown> => {
  if ((await page.evaluate('window.axe === undefined')) === true) await page.evaluate(axe);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
  );
};

const looks = {
  light: { colorScheme: 'light', width: 1280, height: 900 },
  dark: { colorScheme: 'dark', width: 1280, height: 900 },
  'on a phone': { colorScheme: 'light', width: 390, height: 844 },
  'at 200 %': { colorScheme: 'light', width: 640, height: 400 },
} as const;

/** The folder for screenshots; without it none are taken. */
const album = process.env['PICTURES'];

/** All looks in the long form and for screenshots; in the short form the first, and a random other one. */
const looksNow = () => {
  const all = Object.entries(looks);
  const other = 1 + Math.floor(Math.random() * (all.length - 1));
  return isLongForm || album !== undefined ? all : all.filter((_, at) => at === 0 || at === other);
};

/** With `PICTURES=<folder>` a screenshot of the current page is written there. */
export const pictured = async ({ page }: Tab, name: string): Promise<void> => {
  if (album !== undefined) await page.screenshot({ path: join(album, `${name}.png`), fullPage: true });
};

/**
 * Checks, for each look, that axe finds no accessibility faults, that there is no horizontal scrolling and that nothing
 * moves. With `PICTURES=<folder>` a screenshot of each look is written there.
 */
export const expectNoViolations = async ({ page }: Pick<Tab, 'page'>, name = 'page'): Promise<void> => {
  for (const [look, { colorScheme, width, height }] of looksNow()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    if (album !== undefined) await page.screenshot({ path: join(album, `${name} ${look}.png`), fullPage: true });
    expect(await violationsOf(page), `${name} ${look}`).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), `${name} ${look}`).to.be.at.most(
      0,
    );
    expect(await page.evaluate(moving), `${name} ${look} moves`).to.deep.equal([]);
  }
  await page.setViewportSize(looks.light);
};

const moving = `[...document.querySelectorAll('*')].filter((one) => {
  const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
  return one.checkVisibility() && (transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth');
}).map((one) => one.outerHTML)`;

const controls = `(() => {
  document.activeElement?.blur();
  scrollTo(0, 0);
  const all = document.querySelectorAll('a[href], button, input, select, summary, video, [tabindex="0"]');
  window.left = new Set([...all].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()));
  return window.left.size;
})()`;

const reached = `(() => {
  const one = document.activeElement;
  window.left.delete(one);
  const isSeen = one === document.body || getComputedStyle(one).outlineStyle !== 'none';
  return { unseen: isSeen ? null : one.outerHTML, left: window.left.size };
})()`;

const Reached = t.type({ unseen: t.union([t.string, t.null]), left: t.number });

/** Checks that Tab reaches every control of the page, and that each shows its focus. */
export const expectReachable = async ({ page }: Tab, name: string): Promise<void> => {
  const count = Number(await page.evaluate(controls));
  expect(count, name).to.be.greaterThan(2);
  for (let presses = count + 40, isDone = false; presses > 0 && !isDone; presses -= 1) {
    await page.keyboard.press('Tab');
    const at: unknown = await page.evaluate(reached);
    if (!Reached.is(at)) throw new Error('the page does not report what has the focus');
    expect(at.unseen, `${name}: the focus is not to be seen`).to.equal(null);
    isDone = at.left === 0;
  }
  expect(await page.evaluate('[...window.left].map((one) => one.outerHTML)'), name).to.deep.equal([]);
};
