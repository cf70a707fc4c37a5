import { beginSession, endSession } from './session.js';
import { errorOfMicrophone } from './words.js';

const firstDelayMs = 500;
const maxDelayMs = 8_000;

const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const openMicrophone = async () => {
  if (navigator.mediaDevices === undefined) throw errorOfMicrophone({ name: 'InsecureContext' });
  const audio = { echoCancellation: true, noiseSuppression: false, autoGainControl: false };
  return navigator.mediaDevices.getUserMedia({ audio }).catch((error) => {
    throw errorOfMicrophone(error);
  });
};

/**
 * Replaces lost sessions. A session cannot be resumed, so after a loss it is ended, and a new one is created and negotiated,
 * as long as the error allows a retry. `view` shows what happens.
 */
class LiveMicrophone {
  running = true;
  /** The last session, until the service confirms its end. */
  openSession = undefined;
  session = undefined;
  reportLoss = undefined;

  constructor(microphone, view) {
    this.microphone = microphone;
    this.view = view;
  }

  async endOpenSession() {
    const ended = this.openSession === undefined ? undefined : await endSession(this.openSession);
    this.openSession = undefined;
    if (ended !== undefined) this.view.closed(ended);
  }

  /** Runs one session. Resolves with the reason of its loss, or with undefined when it was stopped. */
  async runSession() {
    await this.endOpenSession();
    this.view.waiting('Connecting …');
    const loss = new Promise((resolve) => {
      this.reportLoss = resolve;
    });
    const onCreated = (session) => {
      this.openSession = session;
      this.view.began(session.session_id);
    };
    this.session = await beginSession(this.microphone, {
      onCreated,
      onFrame: this.view.frame,
      onLost: this.reportLoss,
    });
    if (!this.running) this.session.close();
    return loss;
  }

  /** Runs sessions until it is stopped, or until an error does not allow a retry. */
  async run() {
    for (let delay = firstDelayMs; this.running; delay = Math.min(maxDelayMs, delay * 2)) {
      const since = performance.now();
      const reason = await this.runSession().catch((error) => error);
      if (!this.running || reason === undefined) break;
      if (!reason.retryable) {
        await this.stop();
        this.view.failed(reason.message);
        return;
      }
      if (performance.now() - since > maxDelayMs) delay = firstDelayMs;
      const next = Math.max(delay, (reason.retryAfter ?? 0) * 1_000);
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
    await this.endOpenSession().catch(() => undefined);
    this.reportLoss?.();
  }
}

/** Opens the microphone. Call `run` on the result to send it. */
export const goLive = async (view) => new LiveMicrophone(await openMicrophone(), view);
