import type { MediaAnalysis } from '../../../adapters/client/index.js';
import type { Tab } from './console.js';

/** Skips questions until one begins with this text. */
export const skipTo = async ({ page }: Tab, words: string): Promise<void> => {
  const heading = page.locator('.question[aria-busy=false] h2');
  for (let left = 100; left > 0; left -= 1) {
    await heading.waitFor();
    const text = (await heading.textContent()) ?? '';
    if (text.startsWith(words)) return;
    await page.keyboard.press('s');
    await page.waitForFunction(`document.querySelector('.question h2')?.textContent !== ${JSON.stringify(text)}`);
  }
  throw new Error(`nothing asks: ${words}`);
};

/** The response to an answer, which is shown before the service has stored it. */
export const stored = ({ page }: Tab, method: string) =>
  page.waitForResponse((response) => response.request().method() === method);

/** Six people who are visible all the time: the five likeliest of them are offered. */
export const crowdOf = async (client: MediaAnalysis): Promise<string> => {
  const { video_id } = await client.videos.create({ title: 'A crowd' });
  const { audio_id } = await client.audios.create({ video_id });
  const tracks = [{ start: 0, end: 40 }];
  const faces = [1, 2, 3, 4, 5, 6].map((id) => ({ id, tracks: [{ start: id / 10, end: 40 }] }));
  await client.videos.recordAnalysis(video_id, { status: 'completed', faces });
  await client.audios.recordAnalysis(audio_id, {
    status: 'completed',
    speakers: [{ speaker_id: 1 }],
    segments: tracks.map((span) => ({ speaker_id: 1, ...span })),
  });
  await client.runs.wait(await client.matches.suggest(video_id));
  return video_id;
};
