import { goLive } from './live.js';
import { shareOf, timeline } from './timeline.js';
import { errorOfCode } from './words.js';

const element = (id) => document.getElementById(id);
const [form, key, toggle, status, problem] = ['start', 'key', 'toggle', 'status', 'problem'].map(element);
const minute = timeline(element('timeline'), element('share'));
let live;
let connectedAt;

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

const complain = (text) => {
  problem.hidden = text === '';
  problem.textContent = text;
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

const credits = (amount) => `${amount.toLocaleString(undefined, { maximumFractionDigits: 6 })}`;

const hear = {
  ready: ({ balance }) => {
    note('The results are open');
    element('balance').textContent = credits(balance);
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
    element('balance').textContent = credits(balance);
  },
  warning: ({ seconds_left: left }) => complain(`The credit lasts for ${Math.round(left)} more seconds.`),
  error: ({ code, error }) => note(errorOfCode(code, error).message),
};

const ended = () => {
  connectedAt = undefined;
  show({ speaking: false, level_dbfs: -127 });
};

const view = {
  waiting: (text) => say('wait', text),
  began: (id) => {
    element('session').textContent = id;
  },
  frame: (frame) => hear[frame.type]?.(frame),
  lost: (text, milliseconds) => {
    ended();
    say('wait', `${text} Another session is begun in ${(milliseconds / 1_000).toFixed(1)} s.`);
  },
  failed: (text) => {
    complain(text);
    view.stopped();
  },
  stopped: () => {
    ended();
    live = undefined;
    key.disabled = false;
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
  toggle.textContent = 'Stop';
  toggle.dataset.running = 'true';
  try {
    live = await goLive(key.value.trim(), view);
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
