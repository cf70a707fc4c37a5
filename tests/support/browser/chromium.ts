import { type Browser, chromium, type Page } from 'playwright-core';
import { programOf } from './program.js';

export const chromiumProgram = programOf('chromium', 'chromium-browser', 'google-chrome');
export const howToGetChromium = 'apt-get install -y chromium';

/** A headless browser. */
export const launchBrowser = (...args: ReadonlyArray<string>): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumProgram ?? '', headless: true, args: ['--no-sandbox', ...args] });

/** One whose microphone plays a WAV file, once. */
export const openBrowser = (wav: string): Promise<Browser> =>
  launchBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${wav}%noloop`,
  );

/** The JSON texts that the page's sockets receive from now on, as they come. */
export const framesOf = (page: Page): readonly unknown[] => {
  const frames: unknown[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const frame: unknown = JSON.parse(String(payload));
      frames.push(frame);
    }),
  );
  return frames;
};
