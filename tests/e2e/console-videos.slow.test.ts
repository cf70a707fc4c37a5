import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import { expectNoViolations, pictured } from '../support/browser/accessibility.js';
import { type Tab, expectSoon, talkOf, useConsole } from '../support/browser/console.js';

describe('the list of videos in the console', function () {
  this.timeout(90_000);
  let tab: Tab;
  let page: Page;
  let client: MediaAnalysis;
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    client = suite.client;
    await talkOf(client, 'Middle talk');
    const { video_id } = await client.videos.create({ title: 'Alpha failed' });
    await client.videos.recordAnalysis(video_id, { status: 'failed', faces: [] });
    await client.videos.create({ title: 'Zeta waits' });
    tab = await suite.signedIn();
    ({ page } = tab);
  });
  beforeEach(async () => {
    await tab.open('account');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await tab.open('videos');
    await page.getByRole('link', { name: 'Zeta waits' }).waitFor();
  });
  const titles = () => page.locator('tbody th').allTextContents();
  const ordered = (order: string) => page.getByLabel('Order').selectOption(order);

  it('lists what needs review first, then the newest; the order can be changed', async () => {
    expect(await page.getByLabel('Order').inputValue()).to.equal('needs_review');
    expect(await titles()).to.deep.equal(['Middle talk', 'Zeta waits', 'Alpha failed']);
    await ordered('newest first');
    await expectSoon(titles, ['Zeta waits', 'Alpha failed', 'Middle talk']);
    await ordered('by title');
    await expectSoon(titles, ['Alpha failed', 'Middle talk', 'Zeta waits']);
    const [alpha] = await client.videos.list({ title: 'Alpha' }).toArray();
    await client.videos.update(alpha?.video_id ?? '', { title: 'Alpha failed again' });
    await ordered('recently changed first');
    await expectSoon(async () => (await titles())[0], 'Alpha failed again');
    await ordered('needs review first');
    await expectSoon(titles, ['Middle talk', 'Zeta waits', 'Alpha failed again']);
  });

  it('is filtered by title, status and review, and says if nothing matches', async () => {
    await page.getByRole('searchbox', { name: 'Title' }).fill('WAITS');
    await expectSoon(titles, ['Zeta waits']);
    await page.getByRole('searchbox', { name: 'Title' }).fill('');
    await page.getByLabel('Status').selectOption('its analysis failed');
    await expectSoon(async () => (await titles()).join().startsWith('Alpha failed'), true);
    await page.getByRole('checkbox', { name: 'needs review' }).check();
    await page.getByText('No videos match these filters.').waitFor();
    await page.getByLabel('Status').selectOption('any');
    await expectSoon(titles, ['Middle talk']);
    await page.getByRole('row', { name: /Middle talk admin analysed 2 0 2 suggested/ }).waitFor();
  });

  it('says that a long list has more', async () => {
    for (let left = 50; left > 0; left -= 1) await client.videos.create({ title: 'Of many' });
    await page.getByRole('searchbox', { name: 'Title' }).fill('of many');
    await page.getByText('50 videos, 0 need review', { exact: true }).waitFor();
    await client.videos.create({ title: 'One too many, of many' });
    await page.getByText('The first 50 videos, 0 need review; there are more', { exact: true }).waitFor();
    for (const { video_id } of await client.videos.list({ title: 'of many' }).toArray())
      await client.videos.erase(video_id);
  });

  it('keeps filters, order, length and place in the address, also after going back', async () => {
    await page.getByText(/^\d videos, \d needs? review$/).waitFor();
    await page.getByRole('searchbox', { name: 'Title' }).fill('zeta');
    await ordered('by title');
    await page.getByLabel('Status').selectOption('queue');
    await expectSoon(titles, ['Zeta waits']);
    expect(await page.evaluate('location.hash')).to.equal('#/videos?title=zeta&order=title&status=queue');
    await page.getByRole('link', { name: 'Zeta waits' }).click();
    await page.getByRole('heading', { name: 'Zeta waits', level: 1 }).waitFor();
    await page.goBack();
    await expectSoon(titles, ['Zeta waits']);
    expect(await page.getByLabel('Order').inputValue()).to.equal('title');
    await expectSoon(async () => page.evaluate('document.activeElement.textContent'), 'Zeta waits');
    await page.reload();
    await expectSoon(titles, ['Zeta waits']);
    await tab.open('videos/');
    await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Videos', exact: true }).click();
    await page.getByText(/^\d videos, \d needs? review$/).waitFor();
    expect(await page.getByLabel('Order').inputValue()).to.equal('needs_review');
  });

  it('lists an audio without a video and opens it: speakers, timeline, transcript, names and history', async () => {
    await client.credits.grant('admin', { amount: 10, reason: 'a test' });
    const { audio_id } = await client.audios.create({ title: 'A call' });
    const text = 'Hello, my name is Ada Lovelace.';
    await client.audios.recordAnalysis(audio_id, {
      status: 'completed',
      speakers: [{ speaker_id: 1 }, { speaker_id: 2 }],
      segments: [
        { speaker_id: 1, start: 0, end: 5 },
        { speaker_id: 2, start: 5, end: 9 },
      ],
      transcript: [{ speaker_id: 1, start: 0, end: 5, text }],
    });
    await page.getByText('Audios without a video').click();
    await page.getByRole('link', { name: 'A call' }).waitFor();
    expect(await page.locator('details a').allTextContents()).to.deep.equal(['A call']);
    await expectNoViolations(tab, 'audios');
    await page.getByRole('link', { name: 'A call' }).click();
    await page.getByRole('heading', { name: 'A call', level: 1 }).waitFor();
    await page.getByText(text).waitFor();
    await page.getByRole('group', { name: 'Timeline from 0:00.0 to 0:09.0' }).waitFor();
    await page.getByRole('button', { name: 'Estimate the cost' }).click();
    await page.getByRole('button', { name: 'Infer and save names' }).click();
    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).waitFor();
    await page.getByText('Inferred names written').waitFor();
    await page.getByRole('button', { name: 'Rename Speaker 2', exact: true }).click();
    await page.getByLabel('Name of Speaker 2').fill('Mary Jones');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Mary Jones', exact: true }).waitFor();
    await expectNoViolations(tab, 'audio');
    await page.reload();
    await page.getByRole('button', { name: 'Mary Jones', exact: true }).waitFor();
    await page.keyboard.press('u');
    await page.getByRole('button', { name: 'Speaker 2', exact: true }).waitFor();
    await page.keyboard.press('u');
    await page.getByRole('button', { name: 'Speaker 1', exact: true }).waitFor();
    expect(tab.complaints).to.deep.equal([]);
  });

  it('cuts off no column on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const cut = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length`;
    expect(await page.evaluate(cut)).to.equal(0);
    await pictured(tab, 'videos on a phone now');
    await tab.open('account');
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .waitFor();
    expect(
      await page.evaluate(
        `document.querySelector('[aria-label="Keys of the account"]').scrollWidth - document.querySelector('[aria-label="Keys of the account"]').clientWidth`,
      ),
    ).to.equal(0);
    await pictured(tab, 'account on a phone now');
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});
