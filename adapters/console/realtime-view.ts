import type { AccountCredits, ResultsFrame } from '../client/index.js';
import { date, duration, messageOf, number } from './format.js';
import { factOf } from './json.js';

interface Speech {
  readonly start: number;
  readonly end: number;
}

/** What the page shows of a session. */
export interface SessionView {
  readonly state: 'connecting' | 'ready' | 'connected' | 'disconnected' | 'failed' | 'ending' | 'ended';
  readonly level: number;
  readonly isSpeaking: boolean;
  readonly speech: ReadonlyArray<Speech>;
  readonly charged: number;
  readonly balance: number | null;
  readonly message: string;
}

const silence = -100;

export const initialView: SessionView = {
  state: 'connecting',
  level: silence,
  isSpeaking: false,
  speech: [],
  charged: 0,
  balance: null,
  message: '',
};

export const stateText: Readonly<Record<SessionView['state'], string>> = {
  connecting: 'connecting',
  ready: 'waiting for the microphone',
  connected: 'connected',
  disconnected: 'no sound arrives; waiting for it',
  failed: 'the connection failed; end the session and start again',
  ending: 'ending',
  ended: 'ended',
};

const maxSpeech = 500;

const addSpeech = (speech: ReadonlyArray<Speech>, start: number, end: number): ReadonlyArray<Speech> => {
  const last = speech.at(-1);
  if (last !== undefined && start - last.end < 0.05) return [...speech.slice(0, -1), { start: last.start, end }];
  return [...speech, { start, end }].slice(-maxSpeech);
};

/** In words why a session cannot start, or was ended, for lack of credit. */
const shortageText = (reason: string, retry_after_seconds: number | null): string => {
  if (reason !== 'window') return 'The credits of the account are used up, or reserved by calls in progress.';
  const opens = retry_after_seconds === null ? null : new Date(Date.now() + retry_after_seconds * 1_000).toISOString();
  return `The spending window of the account is used up${opens === null ? '' : ` until ${date(opens)}`}. The balance is not the reason.`;
};

const errorText = ({ error, code, reason, retry_after_seconds }: Extract<ResultsFrame, { type: 'error' }>): string => {
  if (code === 'insufficient_credits') return shortageText(reason ?? 'balance', retry_after_seconds ?? null);
  if (code === 'server_shutdown') return 'The service was stopped, or started again. Start a new session in a moment.';
  return `${error}.`;
};

export const applyFrame = (view: SessionView, frame: ResultsFrame): SessionView => {
  switch (frame.type) {
    case 'ready':
      return { ...view, state: 'ready', balance: frame.balance };
    case 'media':
      return view.state === 'ending' ? view : { ...view, state: frame.state };
    case 'result': {
      if (frame.kind !== 'voice_activity') return view;
      const { level_dbfs: level, speaking: isSpeaking, start, end } = frame;
      return { ...view, level, isSpeaking, speech: isSpeaking ? addSpeech(view.speech, start, end) : view.speech };
    }
    case 'usage':
      return { ...view, charged: frame.credits_charged, balance: frame.balance };
    case 'warning':
      return { ...view, message: `The credits will run out in ${number(frame.seconds_left)} s.` };
    case 'error':
      return { ...view, message: errorText(frame) };
    default:
      return view;
  }
};

export const seeLedger = 'The ledger of the account shows the final charge.';

/** The session after its end. `reason`: why the socket was closed; null at the normal end. */
export const endedView = (view: SessionView, reason: unknown): SessionView => {
  const isLost = reason !== null && view.message === '';
  const lost = `The connection to the service was lost, and the session ended with it. ${seeLedger}`;
  return { ...view, state: 'ended', isSpeaking: false, level: silence, message: isLost ? lost : view.message };
};

/** Why a session cannot start. The messages of browsers about the microphone differ and are hard to understand. */
export const startErrorOf = (error: unknown): string => {
  if (factOf(error, 'name') === 'NotFoundError' && factOf(error, 'status') === undefined)
    return 'No microphone was found.';
  if (factOf(error, 'name') === 'NotAllowedError')
    return 'The browser blocks the microphone. Allow this page to use it and start again.';
  if (factOf(error, 'code') === 'at_capacity')
    return 'All sessions of the service are in use. Start again in a few seconds.';
  const after = factOf(error, 'retry_after_seconds');
  if (factOf(error, 'status') === 402)
    return shortageText(String(factOf(error, 'reason')), typeof after === 'number' ? after : null);
  return messageOf(error);
};

/** Why a session cannot be started now, as far as the page can know; null if it can. */
export const obstacleOf = ({ balance, held, window }: AccountCredits): string | null => {
  if (balance <= 0) return `The balance is ${number(balance)} credits. An administrator can add credits.`;
  if (window !== null && window.spent >= window.limit)
    return `The spending window is used up: ${number(window.spent)} of ${number(window.limit)} credits in ${duration(window.period_seconds)}. It has room again when these charges are older than that. The balance is not the reason.`;
  if (balance <= held) return 'Calls in progress reserve the whole balance. Wait until they have ended.';
  return null;
};
