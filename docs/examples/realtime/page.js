import { goLive } from './live.js';
import { priceOfMinute } from './session.js';
import { intervals, shareOf, timeline } from './timeline.js';

const element = (id) => document.getElementById(id);
const [toggle, status, problem] = ['toggle', 'status', 'problem'].map(element);
const minute = timeline(element('timeline'), element('share'));
const spoken = intervals(element('intervals'));
let live;
let connectedAt;
let lastBalance = 0;

const note = (text) => {
  const item = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString();
  item.append(time, text);
  element('log').prepend(item);
};

const say = (state, text) => {
  status.dataset.state = state;
  status.textContent = text;
  note(text);
};

/** Shows what is wrong, or with an empty text that nothing is; what is `passing` ends nothing yet. */
const complain = (text, passing = false) => {
  problem.hidden = text === '';
  problem.textContent = text;
  problem.dataset.passing = String(passing);
  if (text !== '') note(text);
};

const show = ({ speaking, level_dbfs: level }) => {
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
  show({ speaking: false, level_dbfs: -127 });
  element('speaking').textContent = 'not listening';
};

const showBalance = (balance) => {
  if (balance > lastBalance) complain('');
  lastBalance = balance;
  element('balance').textContent = credits(balance);
};

const credits = (amount) => `${amount.toLocaleString(undefined, { maximumFractionDigits: 6 })}`;

const hear = {
  ready: ({ balance }) => {
    note('The results are open');
    showBalance(balance);
  },
  media: ({ state }) => {
    if (state === 'connected') {
      connectedAt = performance.now();
      complain('');
      say('live', 'Connected: speak');
    } else note(`The service lost the sound: ${state}`);
  },
  result: (frame) => {
    if (frame.kind !== 'voice_activity') return;
    show(frame);
    minute.add(frame);
    spoken.add(frame);
  },
  usage: ({ credits_charged: charged, balance }) => {
    element('charged').textContent = credits(charged);
    showBalance(balance);
  },
  warning: ({ seconds_left: left }) => {
    const end = new Date(Date.now() + left * 1_000).toLocaleTimeString();
    complain(`The credit lasts until ${end}, unless the account is topped up.`, true);
  },
};

const showConnected = (seconds) => {
  element('connected').textContent = `${Math.floor(seconds)} s`;
};

const secondsConnected = () => (performance.now() - connectedAt) / 1_000;

/** The time connected stays where it is, until the service says what it was. */
const ended = () => {
  if (connectedAt !== undefined) showConnected(secondsConnected());
  connectedAt = undefined;
  idle();
};

const view = {
  waiting: (text) => say('wait', text),
  began: (id) => {
    element('session').textContent = id;
    element('charged').textContent = '–';
    spoken.clear();
  },
  closed: ({ duration_seconds: seconds, credits_charged: charged }) => {
    connectedAt = undefined;
    showConnected(seconds);
    element('charged').textContent = credits(charged);
    void priceOfMinute().then(
      ({ balance }) => showBalance(balance),
      () => undefined,
    );
    note(`The session ended: connected for ${seconds} s, charged ${credits(charged)} credits`);
  },
  frame: (frame) => hear[frame.type]?.(frame),
  lost: (text, milliseconds) => {
    ended();
    say('wait', `${text} Another session is begun in ${Number((milliseconds / 1_000).toFixed(1))} s.`);
  },
  failed: (text) => {
    complain(text);
    view.stopped();
  },
  stopped: () => {
    ended();
    live = undefined;
    toggle.disabled = false;
    toggle.textContent = 'Start';
    toggle.dataset.running = 'false';
    say('idle', 'Stopped');
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
  complain('');
  toggle.disabled = true;
  say('wait', 'Waiting for the microphone …');
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
  const { price_per_minute: price, balance } = await priceOfMinute();
  element('price').textContent = `${credits(price)} credits a minute`;
  showBalance(balance);
  toggle.disabled = false;
} catch (error) {
  element('price').textContent = 'The price is not known';
  complain(error.message);
}

addEventListener('pagehide', () => live?.stop());
