import { expect } from 'chai';
import { talkOf, useConsole } from '../support/browser/console.js';
import { crowdOf, skipTo, stored } from '../support/browser/review.js';

describe('answers in the review of the console', function () {
  this.timeout(120_000);
  const suite = useConsole({ match_worker: 'embedded' });

  it('takes any other face with a key', async () => {
    const client = suite.client;
    const video_id = await crowdOf(client);
    const [question] = await client.review.list({ video_id }).toArray();
    const [other] = [1, 2, 3, 4, 5, 6].filter((id) => !question?.candidates.some(({ face_id }) => face_id === id));
    const tab = await suite.signedIn();
    await tab.open('review');
    await skipTo(tab, 'Who is Speaker 1 in A crowd?');
    await tab.page.locator('.question[aria-busy=false]').waitFor();
    expect(await tab.page.locator('.question option').count(), 'the list before it is opened').to.equal(1);
    await tab.page.keyboard.press('f');
    await tab.page.locator('.question option').nth(6).waitFor({ state: 'attached' });
    expect(await tab.page.evaluate('document.activeElement.tagName')).to.equal('SELECT');
    await Promise.all([stored(tab, 'POST'), tab.page.getByLabel('Another face').selectOption(`Face ${other}`)]);
    const { decisions } = await client.decisions.list(video_id);
    expect(decisions.map(({ face_id, verdict }) => [face_id, verdict])).to.deep.equal([[other, 'confirmed']]);
  });

  it('takes another name than the inferred one, or settles that it is not the name', async () => {
    const client = suite.client;
    const { audio_id, video_id } = await talkOf(client, 'A talk with wrong names');
    const { account_id } = await client.me.get();
    await client.credits.grant(account_id, { amount: 100, reason: 'a test' });
    await client.names.suggest(audio_id, { target_speaker_ids: [1, 2] });
    const names = async () => (await client.audios.get(audio_id)).speakers.map(({ name }) => name);
    const asked = async () => (await client.review.list({ video_id, kind: 'name' }).toArray()).length;
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open('review');
    await skipTo(tab, 'What is the name of Speaker 1 in A talk with wrong names');
    await page.keyboard.press('e');
    await page.getByLabel('Name of the speaker').fill('Augusta Ada King');
    await Promise.all([stored(tab, 'PUT'), page.keyboard.press('Enter')]);
    expect((await names())[0]).to.equal('Augusta Ada King');
    await skipTo(tab, 'What is the name of Speaker 2 in A talk with wrong names');
    await Promise.all([stored(tab, 'PUT'), page.keyboard.press('x')]);
    expect((await names())[1]).to.equal('Speaker 2');
    expect(await asked()).to.equal(0);
    await page.getByText(/^storing/).waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: /^What is the name of Speaker 2/ }).waitFor();
    expect(await asked()).to.equal(1);
  });

  it('keeps the question and the answer while the service is away, and stores the answer when it is back', async () => {
    const client = suite.client;
    const { video_id } = await talkOf(client, 'A talk in an outage');
    const tab = await suite.signedIn();
    const { page } = tab;
    await tab.open('review');
    await skipTo(tab, 'Who is Speaker 2 in A talk in an outage');
    await page.route('**/v2/**', (route) => route.abort());
    await page.getByText('The service does not answer at present.').waitFor();
    await page.getByRole('heading', { name: 'Who is Speaker 2 in A talk in an outage?' }).waitFor();
    expect(await page.locator('blockquote').textContent()).to.include('Good evening');
    await page.keyboard.press('2');
    await page.getByText('1 not stored yet').waitFor();
    // Loading the page again, or leaving it, does not lose the answer.
    await page.reload();
    await page.getByText('1 not stored yet').waitFor();
    await tab.open('account');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await tab.open('review');
    await page.getByText('1 not stored yet').waitFor();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('1 not stored yet').waitFor();
    await page.unroute('**/v2/**');
    await page.getByText(/not stored yet|^storing/).waitFor({ state: 'detached' });
    await page.getByText('The service does not answer at present.').waitFor({ state: 'detached' });
    const { decisions } = await client.decisions.list(video_id);
    expect(decisions).to.have.lengthOf(1);
    expect(decisions[0]).to.include({ speaker_id: 2, verdict: 'confirmed' });
    await page.getByText('1 answered', { exact: true }).waitFor();
    const events = await client.videos.history(video_id).toArray();
    expect(events.filter(({ type }) => type === 'LinksDecided')).to.have.lengthOf(1);
    // An answer that is stored can be undone, also after a reload.
    await page.reload();
    await page.getByText('1 answered', { exact: true }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('0 answered', { exact: true }).waitFor();
    expect((await client.decisions.list(video_id)).decisions).to.deep.equal([]);
  });
});
