import { goLive } from './live.js';
import { shareOf, timeline } from './timeline.js';

const element = (id) => document.getElementById(id);
const [form, key, toggle, status, problem] = ['start', 'key', 'toggle', 'status', 'problem'].map(element);
const minute = timeline(element('timeline'), element('share'));
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

const ended = () => {
  connectedAt = undefined;
  idle();
};

const view = {
  waiting: (text) => say('wait', text),
  began: (id) => {
    element('session').textContent = id;
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
    key.disabled = false;
    toggle.disabled = false;
    toggle.textContent = 'Start';
    toggle.dataset.running = 'false';
    say('idle', 'Stopped');
  },
};

setInterval(() => {
  element('connected').textContent =
    connectedAt === undefined ? '–' : `${Math.floor((performance.now() - connectedAt) / 1_000)} s`;
}, 500);

const stop = async () => {
  toggle.disabled = true;
  await live.stop();
  toggle.disabled = false;
};

const start = async () => {
  complain('');
  key.disabled = true;
  toggle.disabled = true;
  say('wait', 'Waiting for the microphone …');
  try {
    live = await goLive(key.value.trim(), view);
    toggle.textContent = 'Stop';
    toggle.dataset.running = 'true';
    toggle.disabled = false;
    await live.run();
  } catch (error) {
    view.failed(error.message);
  }
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!key.disabled) void start();
  else if (live !== undefined) void stop();
});

addEventListener('pagehide', () => live?.stop());
