import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { sampleRate } from '../realtime/speech-like.js';
import { programOf } from './program.js';
import { wavOf } from './wav.js';

export const chromiumProgram = programOf('chromium', 'chromium-browser', 'google-chrome');
export const howToGetChromium = 'apt-get install -y chromium';

/**
 * The browser's address bar creates a page for each window, which takes more processor time than a page of ours; and a
 * spare process is kept for a page that is never opened. Only the last list of features counts, so those that Playwright turns
 * off are repeated here.
 */
const featuresOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** A headless browser. */
export const launchBrowser = (...args: ReadonlyArray<string>): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumProgram ?? '',
    headless: true,
    args: ['--no-sandbox', `--disable-features=${featuresOff.join(',')}`, ...args],
  });

/** A browser whose microphone hears a sound, once. */
export const openBrowser = async (sound: Float32Array): Promise<Browser> => {
  const folder = mkdtempSync(join(tmpdir(), 'microphone-'));
  const wav = join(folder, 'sound.wav');
  writeFileSync(wav, wavOf(sound, sampleRate));
  const browser = await launchBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${wav}%noloop`,
  );
  browser.once('disconnected', () => rmSync(folder, { recursive: true }));
  return browser;
};

/** The JSON texts that the page's sockets receive from now on. */
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
