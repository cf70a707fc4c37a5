import { expect } from 'chai';
import { expectNoViolations } from '../support/browser/accessibility.js';
import { talkOf, useConsole } from '../support/browser/console.js';

describe('pages of the console that wait, and without a service', function () {
  this.timeout(120_000);
  let video_id: string;
  const suite = useConsole({ match_worker: 'embedded' }, async () => {
    ({ video_id } = await talkOf(suite.client));
  });
  const pages = (): ReadonlyArray<readonly [name: string, path: string]> => [
    // The first page is one that the tab does not show already.
    ['account', 'account'],
    ['videos', 'videos'],
    ['video', `videos/${video_id}`],
    ['review', 'review'],
    ['realtime', 'realtime'],
    ['audit', 'audit'],
  ];
  const requests = /\/v[12]\/|\/readyz/;

  it('have no accessibility faults when they cannot load', async () => {
    const tab = await suite.signedIn();
    await tab.page.route(requests, (route) => route.abort());
    for (const [name, path] of pages()) {
      await tab.open(path);
      await tab.page.getByText('The service does not answer at present.').waitFor();
      expect(await tab.page.getByRole('alert').count(), `red notices on ${name}`).to.equal(0);
      await expectNoViolations(tab, `error ${name}`);
    }
  });

  it('keep what they show, and the focus, while the service is away', async () => {
    const tab = await suite.signedIn();
    await tab.open(`videos/${video_id}`);
    const accept = tab.page.getByRole('button', { name: 'Accept Face 1 for Speaker 1' });
    await accept.waitFor();
    await tab.page.route(requests, (route) => route.abort());
    await tab.page.getByText('The service does not answer at present.').waitFor();
    await accept.press('Enter');
    await tab.page.getByRole('alert').filter({ hasText: 'The service did not answer' }).waitFor();
    await expectNoViolations(tab, 'away');
    expect(await accept.and(tab.page.locator(':focus')).count(), 'the focus stays').to.equal(1);
  });
});
