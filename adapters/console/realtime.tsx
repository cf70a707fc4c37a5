import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccountCredits, Interval, MediaAnalysis, ResultsFrame } from '../client/index.js';
import { date, duration, messageOf, number, time } from './format.js';
import { pollMs, useQuery, useWindowEvent } from './hooks.js';
import { factOf } from './json.js';
import { useSignedIn } from './session.js';
import { Badge, Facts, LoadFailure, Notice } from './ui.js';

/** What the page shows of a session. */
interface SessionView {
  readonly state: 'connecting' | 'ready' | 'connected' | 'disconnected' | 'failed' | 'ending' | 'ended';
  readonly level: number;
  readonly isSpeaking: boolean;
  readonly speech: ReadonlyArray<Interval>;
  readonly charged: number;
  readonly balance: number | null;
  readonly message: string;
}

const silence = -100;

const initialView: SessionView = {
  state: 'connecting',
  level: silence,
  isSpeaking: false,
  speech: [],
  charged: 0,
  balance: null,
  message: '',
};

const stateText: Readonly<Record<SessionView['state'], string>> = {
  connecting: 'connecting',
  ready: 'waiting for the microphone',
  connected: 'connected',
  disconnected: 'no sound arrives; waiting for it',
  failed: 'the connection failed; end the session and start again',
  ending: 'ending',
  ended: 'ended',
};

const maxSpeech = 500;

/** The detected speech with one more window, which may continue the last interval. */
const addSpeech = (speech: ReadonlyArray<Interval>, { start, end }: Interval): ReadonlyArray<Interval> => {
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

const applyFrame = (view: SessionView, frame: ResultsFrame): SessionView => {
  switch (frame.type) {
    case 'ready':
      return { ...view, state: 'ready', balance: frame.balance };
    case 'media':
      return view.state === 'ending' ? view : { ...view, state: frame.state };
    case 'result': {
      if (frame.kind !== 'voice_activity') return view;
      const { level_dbfs: level, speaking: isSpeaking } = frame;
      return { ...view, level, isSpeaking, speech: isSpeaking ? addSpeech(view.speech, frame) : view.speech };
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

const seeLedger = 'The ledger of the account shows the final charge.';

/** The session after its end. `reason`: why the socket was closed; null at the normal end. */
const endedView = (view: SessionView, reason: unknown): SessionView => {
  const isLost = reason !== null && view.message === '';
  const lost = `The connection to the service was lost, and the session ended with it. ${seeLedger}`;
  return { ...view, state: 'ended', isSpeaking: false, level: silence, message: isLost ? lost : view.message };
};

/** Why a session cannot start. The messages of browsers about the microphone differ and are hard to understand. */
const startErrorOf = (error: unknown): string => {
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
const obstacleOf = ({ balance, held, window }: AccountCredits): string | null => {
  if (balance <= 0) return `The balance is ${number(balance)} credits. An administrator can add credits.`;
  if (window !== null && window.spent >= window.limit)
    return `The spending window is used up: ${number(window.spent)} of ${number(window.limit)} credits in ${duration(window.period_seconds)}. It has room again when these charges are older than that. The balance is not the reason.`;
  if (balance <= held) return 'Calls in progress reserve the whole balance. Wait until they have ended.';
  return null;
};

/** A session from the press of Start to its end. */
interface Running {
  readonly own: AbortController;
  /** Null until it is created. */
  session_id: string | null;
  isEnding: boolean;
}

/** Starts a session and sends the microphone to it. Aborting the signal releases the microphone and closes the socket. */
const open = async (client: MediaAnalysis, running: Running): Promise<AsyncGenerator<ResultsFrame>> => {
  const stop = running.own.signal;
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = (): void => stream.getTracks().forEach((track) => track.stop());
  if (stop.aborted) release();
  stop.addEventListener('abort', release);
  const session = await client.sessions.create({}, { signal: stop });
  const { session_id } = session;
  running.session_id = session_id;
  const iceServers = session.ice_servers.map(({ urls, username, credential }) =>
    username === undefined || credential === undefined
      ? { urls: [...urls] }
      : { urls: [...urls], username, credential },
  );
  const peer = new RTCPeerConnection({ iceServers });
  stop.addEventListener('abort', () => peer.close());
  stream.getTracks().forEach((track) => peer.addTrack(track, stream));
  peer.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate === null || candidate.candidate === '') return;
    const { candidate: text, sdpMid: sdp_mid, sdpMLineIndex: sdp_m_line_index } = candidate;
    client.sessions.addCandidate(session_id, { candidate: text, sdp_mid, sdp_m_line_index }).catch(() => undefined);
  });
  const frames = client.sessions.results(session, { signal: stop });
  await peer.setLocalDescription(await peer.createOffer());
  const { type, sdp } = await client.sessions.offer(session_id, {
    type: 'offer',
    sdp: peer.localDescription?.sdp ?? '',
  });
  await peer.setRemoteDescription({ type, sdp });
  return frames;
};

/** How long to wait for the last frames after the end, if the socket stays open. */
const lastFramesMs = 3_000;

/** One session at a time: its view, and how to start and end it. */
const useRealtime = (client: MediaAnalysis, onEnded: () => void) => {
  const [view, setView] = useState<SessionView | null>(null);
  const [error, setError] = useState('');
  const running = useRef<Running | null>(null);
  const change = (by: (view: SessionView) => SessionView): void => setView((before) => by(before ?? initialView));
  const end = async (): Promise<void> => {
    const now = running.current;
    if (now === null) return;
    if (now.session_id === null) return now.own.abort();
    now.isEnding = true;
    change((before) => ({ ...before, state: 'ending' }));
    // The socket stays open for the last frames, which have the final charge and balance.
    const timer = setTimeout(() => now.own.abort(), lastFramesMs);
    now.own.signal.addEventListener('abort', () => clearTimeout(timer));
    try {
      const { credits_charged: charged } = await client.sessions.end(now.session_id);
      change((before) => ({ ...before, charged }));
    } catch (problem) {
      change((before) => ({ ...before, message: `The end is not confirmed: ${messageOf(problem)} ${seeLedger}` }));
    }
  };
  const start = async (): Promise<void> => {
    const now: Running = { own: new AbortController(), session_id: null, isEnding: false };
    running.current = now;
    setError('');
    setView(initialView);
    let isOpen = false;
    let reason: unknown = null;
    try {
      const frames = await open(client, now);
      isOpen = true;
      for await (const frame of frames) change((before) => applyFrame(before, frame));
    } catch (problem) {
      reason = problem;
    }
    const { own, session_id, isEnding } = now;
    if (isOpen) change((before) => endedView(before, isEnding || own.signal.aborted ? null : reason));
    else setView(null);
    if (!isOpen && !own.signal.aborted) setError(startErrorOf(reason));
    if (reason !== null && session_id !== null && !isEnding) client.sessions.end(session_id).catch(() => undefined);
    own.abort();
    running.current = null;
    onEnded();
  };
  useEffect(() => () => running.current?.own.abort(), []);
  const isRunning = view !== null && view.state !== 'ended';
  useWindowEvent('beforeunload', (event) => isRunning && event.preventDefault());
  return { view, error, isRunning, start, end };
};

const Progress = ({ view }: { readonly view: SessionView }) => (
  <>
    <p role="status">
      <Badge tone={view.state === 'connected' ? 'good' : 'wait'}>{stateText[view.state]}</Badge>{' '}
      {view.isSpeaking && <Badge tone="good">speaking</Badge>} {view.message}
    </p>
    {view.state !== 'ended' && <meter class="level" min={-70} max={0} value={view.level} aria-label="level in dBFS" />}
    <Facts
      facts={[
        [view.state === 'ended' ? 'Credits charged in all' : 'Credits charged so far', number(view.charged)],
        ['Balance', view.balance === null ? '' : number(view.balance)],
      ]}
    />
    {view.speech.length > 0 && <h2>Detected speech</h2>}
    <ol class="speech" aria-label="Detected speech">
      {view.speech.slice(-20).map(({ start: from, end: to }) => (
        <li key={from}>
          {time(from, true)} to {time(to, true)}
        </li>
      ))}
    </ol>
  </>
);

/** A realtime session with this computer's microphone: sound level, detected speech and cost. */
export const Realtime = () => {
  const { client, account_id } = useSignedIn();
  const price = useQuery((signal) => client.sessions.price({ signal }), [client]);
  const credits = useQuery((signal) => client.credits.get(account_id, { signal }), [client], pollMs);
  const { view, error, isRunning, start, end } = useRealtime(client, credits.refresh);
  const noMicrophone =
    'mediaDevices' in navigator
      ? null
      : 'The browser gives the microphone only to pages at https://, or on this computer.';
  const obstacle = noMicrophone ?? (credits.answer === null ? null : obstacleOf(credits.answer));
  return (
    <>
      <h1>Realtime</h1>
      <p>
        Sends the sound of your microphone to the service, which detects speech while you talk. The sound is not stored.
      </p>
      <LoadFailure error={price.error ?? credits.error} />
      {price.answer !== null && credits.answer !== null && (
        <p>
          A minute costs {number(price.answer.price_per_minute)} credits; your balance is{' '}
          {number(credits.answer.balance)} credits.
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={isRunning || obstacle !== null}
          aria-describedby="obstacle"
          onClick={() => void start()}
        >
          Start
        </button>
        <button type="button" disabled={!isRunning || view?.state === 'ending'} onClick={() => void end()}>
          End
        </button>
        <span id="obstacle" class="quiet">
          {isRunning ? 'Leaving this page ends the session.' : obstacle}
        </span>
      </div>
      {error !== '' && <Notice>{error}</Notice>}
      {view !== null && <Progress view={view} />}
    </>
  );
};
