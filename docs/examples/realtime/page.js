import { goLive } from './live.js';
import { fetchPrice } from './session.js';
import { intervals, shareOf, timeline } from './timeline.js';

const element = (id) => document.getElementById(id);
const [toggle, status, problem] = ['toggle', 'status', 'problem'].map(element);
const lastMinute = timeline(element('timeline'), element('share'));
const speakingIntervals = intervals(element('intervals'));
let live;
let connectedAt;
let lastBalance = 0;

const addToLog = (text) => {
  const item = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString();
  item.append(time, text);
  element('log').prepend(item);
};

const showStatus = (state, text) => {
  status.dataset.state = state;
  status.textContent = text;
  addToLog(text);
};

/** Shows a problem, or hides it if the text is empty. A `temporary` problem has not ended the session yet. */
const showProblem = (text, temporary = false) => {
  problem.hidden = text === '';
  problem.textContent = text;
  problem.dataset.temporary = String(temporary);
  if (text !== '') addToLog(text);
};

const showLevel = ({ speaking, level_dbfs: level }) => {
  const bar = element('level');
  const meter = element('meter');
  bar.style.width = `${shareOf(level) * 100}%`;
  bar.dataset.speaking = String(speaking);
  meter.setAttribute('aria-valuenow', String(Math.max(-60, Math.round(level))));
  meter.setAttribute('aria-valuetext', level <= -60 ? 'silence' : `${Math.round(level)} dBFS`);
  const pill = element('speaking');
  pill.dataset.speaking = String(speaking);
  pill.textContent = speaking ? 'speaking' : 'silent';
};

const idle = () => {
  showLevel({ speaking: false, level_dbfs: -127 });
  element('speaking').textContent = 'not listening';
};

const showBalance = (balance) => {
  if (balance > lastBalance) showProblem('');
  lastBalance = balance;
  element('balance').textContent = credits(balance);
};

const credits = (amount) => `${amount.toLocaleString(undefined, { maximumFractionDigits: 6 })}`;

const onFrame = {
  ready: ({ balance }) => {
    addToLog('The results socket is open');
    showBalance(balance);
  },
  media: ({ state }) => {
    if (state === 'connected') {
      connectedAt = performance.now();
      showProblem('');
      showStatus('live', 'Connected: speak');
    } else addToLog(`The service receives no sound: ${state}`);
  },
  result: (frame) => {
    if (frame.kind !== 'voice_activity') return;
    showLevel(frame);
    lastMinute.add(frame);
    speakingIntervals.add(frame);
  },
  usage: ({ credits_charged: charged, balance }) => {
    element('charged').textContent = credits(charged);
    showBalance(balance);
  },
  warning: ({ seconds_left: left }) => {
    const end = new Date(Date.now() + left * 1_000).toLocaleTimeString();
    showProblem(`The credit lasts until ${end}, unless the account is topped up.`, true);
  },
};

const showConnected = (seconds) => {
  element('connected').textContent = `${Math.floor(seconds)} s`;
};

const secondsConnected = () => (performance.now() - connectedAt) / 1_000;

/** Stops the clock of the time connected, until the service reports the exact time. */
const ended = () => {
  if (connectedAt !== undefined) showConnected(secondsConnected());
  connectedAt = undefined;
  idle();
};

const view = {
  waiting: (text) => showStatus('wait', text),
  began: (id) => {
    element('session').textContent = id;
    element('charged').textContent = '–';
    speakingIntervals.clear();
  },
  closed: ({ duration_seconds: seconds, credits_charged: charged }) => {
    connectedAt = undefined;
    showConnected(seconds);
    element('charged').textContent = credits(charged);
    void fetchPrice().then(
      ({ balance }) => showBalance(balance),
      () => undefined,
    );
    addToLog(`The session ended: connected for ${seconds} s, charged ${credits(charged)} credits`);
  },
  frame: (frame) => onFrame[frame.type]?.(frame),
  lost: (text, milliseconds) => {
    ended();
    showStatus('wait', `${text} A new session starts in ${Number((milliseconds / 1_000).toFixed(1))} s.`);
  },
  failed: (text) => {
    showProblem(text);
    view.stopped();
  },
  stopped: () => {
    ended();
    live = undefined;
    toggle.disabled = false;
    toggle.textContent = 'Start';
    toggle.dataset.running = 'false';
    showStatus('idle', 'Stopped');
  },
};

setInterval(() => {
  if (connectedAt !== undefined) showConnected(secondsConnected());
}, 500);

const stop = async () => {
  toggle.disabled = true;
  await live.stop();
  toggle.disabled = false;
};

const start = async () => {
  showProblem('');
  toggle.disabled = true;
  showStatus('wait', 'Waiting for the microphone …');
  try {
    live = await goLive(view);
    toggle.textContent = 'Stop';
    toggle.dataset.running = 'true';
    toggle.disabled = false;
    await live.run();
  } catch (error) {
    view.failed(error.message);
  }
};

toggle.addEventListener('click', () => void (live === undefined ? start() : stop()));

try {
  const { price_per_minute: price, balance } = await fetchPrice();
  element('price').textContent = `${credits(price)} credits a minute`;
  showBalance(balance);
  toggle.disabled = false;
} catch (error) {
  element('price').textContent = 'The price is unknown';
  showProblem(error.message);
}

addEventListener('pagehide', () => live?.stop());
