import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { chromiumProgram, howToGetChromium, launchBrowser } from '../support/browser/chromium.js';
import { violationsOf } from '../support/browser/accessibility.js';
import { type Tab, tabOf } from '../support/browser/console.js';
import { needs } from '../support/browser/program.js';
import { type World, startWorld } from '../support/world.js';

describe('the documentation pages', function () {
  this.timeout(90_000);
  let world: World;
  let browser: Browser;
  let tab: Tab;
  before(async function () {
    needs(this, chromiumProgram, 'Chromium', howToGetChromium);
    world = await startWorld();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await world?.end();
  });
  afterEach(async () => {
    expect(tab.complaints).to.deep.equal([]);
    await tab.close();
  });

  const expectAccess = async (when: string) => expect(await violationsOf(tab.page), when).to.deep.equal([]);

  /** Presses Tab until a control with this text has the focus. */
  const tabTo = async (text: RegExp, left = 150): Promise<void> => {
    await tab.page.keyboard.press('Tab');
    const content = String(
      await tab.page.evaluate(
        '(({ tagName, ariaLabel, textContent, placeholder }) => tagName === "BODY" ? "" : [ariaLabel, textContent, placeholder].join(" "))(document.activeElement)',
      ),
    );
    if (text.test(content)) return;
    if (left === 0) throw new Error(`the keyboard does not get to ${String(text)}`);
    return tabTo(text, left - 1);
  };

  it('can be read and tried out by keyboard only, under the content security policy of the service', async () => {
    tab = await tabOf(browser, world, '/docs');
    const { page } = tab;
    await page.locator('.opblock').first().waitFor();
    await expectAccess('at first');

    await tabTo(/Filter by tag or path/);
    await page.keyboard.type('retention');
    await page.locator('.opblock').nth(2).waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Available authorizations' });
    await dialog.waitFor();
    await expectAccess('with the dialog');
    await dialog.locator('input').first().focus();
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).to.equal(true);
    }
    await dialog.locator('input').first().focus();
    await page.keyboard.type(world.adminKey);
    await page.keyboard.press('Enter');
    await dialog.getByText('Authorized').first().waitFor();
    await expectAccess('with a key');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Authorize');

    await tabTo(/retention\.set/);
    await page.keyboard.press('Enter');
    await page.locator('.opblock.is-open .body-param__text').waitFor();
    await expectAccess('with an operation that takes a body');
    await page.keyboard.press('Enter');
    await page.locator('.opblock.is-open').waitFor({ state: 'detached' });

    await tabTo(/retention\.get/);
    await page.keyboard.press('Enter');
    // Its fields appear a moment after it has opened.
    await page.locator('.opblock.is-open input').first().waitFor();
    await tabTo(/^ *account_id/);
    await page.keyboard.type('admin');
    await tabTo(/^\s*Execute/);
    await page.keyboard.press('Enter');
    const answer = page.locator('.live-responses-table .response');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').textContent()).to.match(/^200/);
    expect(await answer.locator('.response-col_description').textContent()).to.include('"days": null');
    await expectAccess('with an answer');
  });

  for (const [path, shown] of [
    ['/docs/events.html', '#document[aria-busy=false] details, main:not([aria-busy=true]) details'],
    ['/', 'main'],
  ] as const)
    it(`${path} has no accessibility faults that a program can find`, async () => {
      tab = await tabOf(browser, world, path);
      await tab.page.locator(shown).first().waitFor();
      await expectAccess(path);
    });
});
