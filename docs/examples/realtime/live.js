import { beginSession, endSession } from './session.js';
import { errorOfMicrophone } from './words.js';

const firstPause = 500;
const longestPause = 8_000;

const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const askForMicrophone = async () => {
  if (navigator.mediaDevices === undefined) throw errorOfMicrophone({ name: 'InsecureContext' });
  const audio = { echoCancellation: true, noiseSuppression: false, autoGainControl: false };
  return navigator.mediaDevices.getUserMedia({ audio }).catch((error) => {
    throw errorOfMicrophone(error);
  });
};

/**
 * Keeps a session alive: nothing of a session can be taken up again, so after a loss it is ended, and another is created
 * and negotiated, for as long as that can help. `view` shows what happens.
 */
class Live {
  running = true;
  /** A session that is not known to have ended. */
  open = undefined;
  session = undefined;
  wake = undefined;

  constructor(microphone, view) {
    this.microphone = microphone;
    this.view = view;
  }

  async endFormer() {
    const ended = this.open === undefined ? undefined : await endSession(this.open);
    this.open = undefined;
    if (ended !== undefined) this.view.closed(ended);
  }

  /** One session, until it is lost; resolves with the reason, or with nothing once it was stopped. */
  async live() {
    await this.endFormer();
    this.view.waiting('Connecting …');
    const loss = new Promise((resolve) => {
      this.wake = resolve;
    });
    const created = (session) => {
      this.open = session;
      this.view.began(session.session_id);
    };
    this.session = await beginSession(this.microphone, { created, frame: this.view.frame, lost: this.wake });
    if (!this.running) this.session.close();
    return loss;
  }

  /** Runs until it is stopped, or until going on makes no sense. */
  async run() {
    for (let wait = firstPause; this.running; wait = Math.min(longestPause, wait * 2)) {
      const since = performance.now();
      const reason = await this.live().catch((error) => error);
      if (!this.running || reason === undefined) break;
      if (!reason.again) {
        await this.stop();
        this.view.failed(reason.message);
        return;
      }
      if (performance.now() - since > longestPause) wait = firstPause;
      const next = Math.max(wait, (reason.retryAfter ?? 0) * 1_000);
      this.view.lost(reason.message, next);
      await pause(next);
    }
    this.view.stopped();
  }

  async stop() {
    if (!this.running) return;
    this.running = false;
    this.session?.close();
    for (const track of this.microphone.getTracks()) track.stop();
    await this.endFormer().catch(() => undefined);
    this.wake?.();
  }
}

/** Asks for the microphone, and gets ready to send it. */
export const goLive = async (view) => new Live(await askForMicrophone(), view);
