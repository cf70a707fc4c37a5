import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { MediaAnalysis } from '../../adapters/client/index.js';
import { expectNoViolations } from '../support/browser/accessibility.js';
import { expectSoon, talkOf, useConsole } from '../support/browser/console.js';

/** Changes by others must appear within a second; a loaded machine gets three. */
const soon = { timeout: 3_000 };

describe('two people on the console', function () {
  this.timeout(90_000);
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    const { account_id } = await suite.client.me.get();
    await suite.client.credits.grant(account_id, { amount: 100, reason: 'a test' });
  });

  const both = async (path: string): Promise<readonly [Page, Page]> => {
    const [one, other] = await Promise.all([suite.signedIn(), suite.signedIn()]);
    for (const { open } of [one, other]) await open(path);
    return [one.page, other.page];
  };
  const facesOf = async (video_id: string) =>
    (await suite.client.videos.get(video_id)).faces.map(({ id, speaker_id }) => [id, speaker_id]);

  /** Erases all videos, so that no question of the previous test is left. */
  const forgetAll = async (client: MediaAnalysis): Promise<void> => {
    for await (const { video_id } of client.videos.list()) await client.videos.erase(video_id);
  };

  it('see on a video what the other decides, and keep their own input', async () => {
    const { video_id } = await talkOf(suite.client, 'A talk for two');
    const [one, other] = await both(`videos/${video_id}`);
    await one.getByRole('button', { name: 'Estimate the cost' }).click();
    await one.getByRole('button', { name: 'Infer and save names' }).waitFor();
    await one.getByRole('searchbox', { name: 'Find a face or a speaker' }).fill('Face');
    await one.getByRole('button', { name: 'Infer and save names' }).focus();
    await other.getByRole('button', { name: 'Accept Face 1 for Speaker 1' }).click();
    await one.getByText('is Face 1').waitFor(soon);
    await one.getByText('Decision about who is who').waitFor(soon);
    expect(await one.getByRole('searchbox', { name: 'Find a face or a speaker' }).inputValue()).to.equal('Face');
    expect(await one.evaluate('document.activeElement.textContent')).to.equal('Infer and save names');
  });

  it('do not get questions that the other has answered', async () => {
    await forgetAll(suite.client);
    const { video_id } = await talkOf(suite.client, 'First of two');
    const [one] = await both('review');
    const heading = one.locator('.question[aria-busy=false] h2');
    const question = (await heading.textContent()) ?? '';
    const speaker_id = question.includes('Speaker 1') ? 1 : 2;
    const decisions = [{ speaker_id, face_id: null, verdict: 'confirmed' as const }];
    await suite.client.decisions.create(video_id, { decisions });
    await one.getByRole('heading', { name: question, exact: true }).waitFor({ state: 'detached', ...soon });
  });

  for (const [key, does, speakersFace, answered] of [
    ['l', 'may leave it', (speaker: number) => speaker, 0],
    ['y', 'may overwrite the answer', () => null, 1],
  ] as const)
    it(`who answer one question at once: the second is informed, and ${does}`, async () => {
      await forgetAll(suite.client);
      const { video_id } = await talkOf(suite.client, 'A question for two');
      const [one, other] = await both('review');
      for (const page of [one, other]) await page.locator('.question[aria-busy=false]').waitFor();
      const question = (await other.locator('.question h2').textContent()) ?? '';
      expect(await one.locator('.question h2').textContent()).to.equal(question);
      const speaker = Number(/\d/.exec(question)?.[0]);
      // The list of questions does not change for the slower of the two.
      await other.route(/v2\/review\?limit/, () => undefined);
      const stored = one.waitForResponse((response) => response.request().method() === 'POST');
      await one.keyboard.press('1');
      await stored;
      await other.keyboard.press('n');
      await other.getByText('Somebody else decided otherwise in the meantime.').waitFor();
      await other.getByText(`admin decided: Speaker ${speaker} is Face ${speaker}.`).waitFor();
      await expectNoViolations({ page: other }, 'conflict in review');
      await other.keyboard.press(key);
      await other.getByText(`${answered} answered`, { exact: true }).waitFor();
      await expectSoon(
        async () => (await facesOf(video_id)).find(([id]) => id === speaker),
        [speaker, speakersFace(speaker)],
      );
    });

  it('who answer different questions about one video at once: both answers are kept', async () => {
    const client = suite.client;
    await forgetAll(client);
    const { video_id } = await talkOf(client, 'Two questions');
    const [one] = await both('review');
    await one.locator('.question[aria-busy=false]').waitFor();
    const question = (await one.locator('.question h2').textContent()) ?? '';
    const [mine, others] = question.includes('Speaker 1') ? [1, 2] : [2, 1];
    // Just before the answer is stored, somebody else changes the video and so its revision.
    await one.route(/decisions$/, async (route) => {
      await one.unroute(/decisions$/);
      await client.faces.rename(video_id, [{ face_id: others, name: 'Renamed meanwhile' }]);
      await route.continue();
    });
    await one.keyboard.press('1');
    await one.getByText('1 answered', { exact: true }).waitFor();
    await expectSoon(async () => (await facesOf(video_id)).find(([id]) => id === mine), [mine, mine]);
    expect((await client.videos.get(video_id)).faces.map(({ name }) => name)).to.include('Renamed meanwhile');
    expect(await one.getByText('Not stored').count()).to.equal(0);
  });
});
