import { killRealtime } from '../support/realtime/kill-rounds.js';
import { quick } from './support/figures.js';

/* SIGKILL under realtime sessions: none is charged for too much, or for more than an interval too little. */

const { sessions, kills, connected_seconds, charged_seconds, violations } = await (quick
  ? killRealtime(6, 1)
  : killRealtime(50, 10));
console.log(
  `${sessions} sessions, ${kills} kills: connected ${connected_seconds.toFixed(1)} s, charged ${charged_seconds} s`,
);
console.log(violations.length === 0 ? 'no session was charged for too much or too little' : violations.join('\n'));
process.exitCode = violations.length === 0 ? 0 : 1;
