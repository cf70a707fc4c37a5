import { expect } from 'chai';
import { pictured } from '../support/browser/accessibility.js';
import { type Tab, expectSoon, useConsole } from '../support/browser/console.js';
import { importLongVideo, longVideo } from '../support/browser/long-video.js';

describe('a video of three hours in the console', function () {
  this.timeout(120_000);
  let video_id: string;
  let tab: Tab;
  const suite = useConsole({}, async () => {
    video_id = await importLongVideo(suite.client);
  });
  beforeEach(async () => {
    tab = await suite.signedIn();
    await tab.open(`videos/${video_id}`);
    await tab.page.getByRole('group', { name: /^Timeline from 0:00 to 2:5/ }).waitFor();
  });

  const shown = async () => {
    const label = await tab.page.getByRole('group', { name: /^Timeline/ }).getAttribute('aria-label');
    return /from (\S+) to ([\d:]+)/.exec(label ?? '')?.slice(1);
  };

  it('is shown completely: every face, speaker and interval', async () => {
    const { page } = tab;
    const { faces, speakers, intervals } = longVideo;
    await page.getByText(`${faces} faces, ${speakers} speakers`).waitFor();
    await page.getByText(`${faces + speakers} of ${faces + speakers}`).waitFor();
    await pictured(tab, 'three hours');
    const counts: unknown = await page.evaluate(
      "[...document.querySelectorAll('table tbody tr')].map((row) => Number(row.cells[1].textContent))",
    );
    if (!Array.isArray(counts)) throw new Error('there is no table');
    expect(counts).to.have.lengthOf(faces + speakers);
    expect(counts.reduce((sum: number, one: unknown) => sum + Number(one), 0)).to.equal(intervals);
    expect(await page.locator('.head').count()).to.equal(faces + speakers);
    expect(tab.complaints).to.deep.equal([]);
  });

  it('finds a face by search, jumps to where it is visible, and matches it', async () => {
    const { page } = tab;
    await page.getByRole('searchbox', { name: 'Find a face or a speaker' }).fill('face 187');
    await page.getByText('1 of 250').waitFor();
    expect(await page.locator('.head').allTextContents()).to.deep.equal(['Face 187']);
    await page.getByRole('group', { name: /^Timeline/ }).focus();
    for (let zoomed = 0; zoomed < 12; zoomed += 1) await page.keyboard.press('+');
    expect((await shown())?.[0]).to.match(/^1:2/);
    await page.locator('.head').click();
    await expectSoon(async () => ((await shown())?.[0] ?? '').startsWith('0:00'), true);
    await page.locator('.head').click();
    await expectSoon(async () => (await page.locator('[aria-current=true]').textContent())?.includes('3:'), true);
    expect(await page.locator('.cards option').count(), 'faces in lists that are not opened').to.equal(
      longVideo.speakers,
    );
    const shownOf = "document.querySelector('.cards select').selectedOptions[0]?.textContent";
    expect(await page.evaluate(shownOf)).to.equal('Another face …');
    await page.getByLabel('Another face for Speaker 49').focus();
    await page.getByLabel('Another face for Speaker 49').selectOption('Face 187');
    await page.getByText('is Face 187').waitFor();
    const { faces } = await suite.client.videos.get(video_id);
    expect(faces.find(({ id }) => id === 187)?.speaker_id).to.equal(49);
  });

  it('jumps to a line of the transcript, and shows the lines at the selected time', async () => {
    const { page } = tab;
    const timeline = page.getByRole('group', { name: /^Timeline/ });
    await timeline.focus();
    for (let zoomed = 0; zoomed < 10; zoomed += 1) await page.keyboard.press('+');
    await page.getByText('This is sentence 5 of the panel.').waitFor();
    await page.locator('.transcript li').filter({ hasText: 'sentence 5 of' }).getByRole('button').click();
    await page.locator('[aria-current=true]').filter({ hasText: 'sentence 5 of' }).waitFor();
    await expectSoon(async () => (await shown())?.[0]?.length, 4);
    await timeline.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page
      .locator('[aria-current=true]')
      .filter({ hasText: /sentence 53\d/ })
      .waitFor();
    expect(tab.complaints).to.deep.equal([]);
  });
});
