import { expect } from 'chai';
import { violationsOf } from '../support/browser/accessibility.js';
import { type Tab, useConsole } from '../support/browser/console.js';
import { expectOk } from '../support/e2e/media.js';
import { useTestApi } from '../support/e2e/test-api.js';

describe('the documentation pages', function () {
  this.timeout(90_000);
  const suite = useConsole({});
  let tab: Tab;

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
    tab = await suite.tabOf('/docs');
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
    await page.keyboard.type(suite.world.adminKey);
    await page.keyboard.press('Enter');
    await dialog.getByText('Authorized').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Authorize');

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

  it('of events has no accessibility faults that a program can find', async () => {
    tab = await suite.tabOf('/docs/events.html');
    await tab.page.locator('main:not([aria-busy=true]) details').first().waitFor();
    await expectAccess('events');
  });
});

describe('documents and pages', () => {
  const api = useTestApi();

  it('are served without a key, and with 304 to clients that have them, whatever Cache-Control these send', async () => {
    for (const path of ['/openapi.json', '/asyncapi.json']) {
      const first = await expectOk(api().anonymous.get(path));
      for (const control of ['max-age=0', 'no-cache']) {
        const has = { 'If-None-Match': first.headers.get('etag') ?? '', 'Cache-Control': control };
        const { status, text } = await api().anonymous.get(path, has);
        expect([status, text], control).to.deep.equal([304, '']);
      }
    }
  });

  it('/ has links for programs and a page for people', async () => {
    const { body } = await api().anonymous.get('/', { Accept: 'application/json' });
    expect(body).to.deep.include({ name: 'media-analysis' }).and.have.nested.property('links.openapi', '/openapi.json');
    const page = await api().anonymous.get('/', { Accept: 'text/html,*/*;q=0.8' });
    expect(page.headers.get('content-type')).to.match(/^text\/html/);
  });

  it('are refused in JSON if the request asks for a part that they do not have', async () => {
    const { status, body, headers } = await api().anonymous.get('/docs', { Range: 'bytes=99999999-' });
    expect([status, headers.get('content-type')]).to.deep.equal([416, 'application/json; charset=utf-8']);
    expect(body).to.have.property('detail');
  });

  for (const path of ['/docs', '/docs/events.html', '/docs/swagger-ui-bundle.js'])
    it(`${path} loads only from this service`, async () => {
      const { headers } = await expectOk(api().anonymous.get(path));
      expect(headers.get('content-security-policy')).to.match(/^default-src 'self'; img-src 'self' data:;/);
    });
});
