import { useEffect, useRef, useState } from 'preact/hooks';
import type { MediaAnalysis, ResultsFrame } from '../client/index.js';
import { number, time, messageOf } from './format.js';
import { useQuery } from './hooks.js';
import type { Session } from './session.js';
import { Badge, Notice } from './ui.js';

interface Speech {
  readonly start: number;
  readonly end: number;
}

interface SessionView {
  readonly state: string;
  readonly level: number;
  readonly isSpeaking: boolean;
  readonly speech: ReadonlyArray<Speech>;
  readonly charged: number;
  readonly balance: number | null;
  readonly message: string;
}

const initialView: SessionView = {
  state: 'connecting',
  level: -100,
  isSpeaking: false,
  speech: [],
  charged: 0,
  balance: null,
  message: '',
};
const maxSpeech = 500;

const addSpeech = (speech: ReadonlyArray<Speech>, start: number, end: number): ReadonlyArray<Speech> => {
  const last = speech.at(-1);
  if (last !== undefined && start - last.end < 0.05) return [...speech.slice(0, -1), { start: last.start, end }];
  return [...speech, { start, end }].slice(-maxSpeech);
};

const applyFrame = (view: SessionView, frame: ResultsFrame): SessionView => {
  switch (frame.type) {
    case 'ready':
      return { ...view, state: 'ready', balance: frame.balance };
    case 'media':
      return { ...view, state: frame.state };
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
      return { ...view, message: frame.error };
    default:
      return view;
  }
};

/** Starts a session and sends the microphone to it. Aborting the signal ends the session and releases the microphone. */
const open = async (client: MediaAnalysis, stop: AbortSignal): Promise<AsyncGenerator<ResultsFrame>> => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = (): void => stream.getTracks().forEach((track) => track.stop());
  stop.addEventListener('abort', release);
  const session = await client.sessions.create({}, { signal: stop });
  const iceServers = session.ice_servers.map(({ urls, username, credential }) =>
    username === undefined || credential === undefined
      ? { urls: [...urls] }
      : { urls: [...urls], username, credential },
  );
  const peer = new RTCPeerConnection({ iceServers });
  stop.addEventListener('abort', () => {
    peer.close();
    client.sessions.end(session.session_id).catch(() => undefined);
  });
  stream.getTracks().forEach((track) => peer.addTrack(track, stream));
  peer.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate === null || candidate.candidate === '') return;
    const { candidate: text, sdpMid: sdp_mid, sdpMLineIndex: sdp_m_line_index } = candidate;
    client.sessions
      .addCandidate(session.session_id, { candidate: text, sdp_mid, sdp_m_line_index })
      .catch(() => undefined);
  });
  const frames = client.sessions.results(session, { signal: stop });
  await peer.setLocalDescription(await peer.createOffer());
  const { type, sdp } = await client.sessions.offer(session.session_id, {
    type: 'offer',
    sdp: peer.localDescription?.sdp ?? '',
  });
  await peer.setRemoteDescription({ type, sdp });
  return frames;
};

/** Why the microphone cannot be used. The messages of browsers for this differ and are hard to understand. */
const microphoneErrorOf = (reason: unknown): string => {
  const name = reason instanceof Error ? reason.name : '';
  if (name === 'NotFoundError') return 'No microphone was found.';
  if (name === 'NotAllowedError')
    return 'The browser blocks the microphone. Allow this page to use it and start again.';
  return messageOf(reason);
};

/** A realtime session with this computer's microphone: sound level, detected speech and cost. */
export const Realtime = ({ session: { client } }: { readonly session: Session }) => {
  const [view, setView] = useState<SessionView | null>(null);
  const [error, setError] = useState('');
  const price = useQuery((signal) => client.sessions.price({ signal }), [client]);
  const stop = useRef<AbortController | null>(null);
  const end = (): void => {
    stop.current?.abort();
    stop.current = null;
  };
  useEffect(() => end, []);
  const start = async (): Promise<void> => {
    const own = new AbortController();
    stop.current = own;
    setError('');
    setView(initialView);
    try {
      for await (const frame of await open(client, own.signal))
        setView((before) => applyFrame(before ?? initialView, frame));
    } catch (reason) {
      if (!own.signal.aborted) setError(microphoneErrorOf(reason));
    } finally {
      own.abort();
      if (stop.current === own) stop.current = null;
      setView((before) => (before === null || before.state === 'connecting' ? null : { ...before, state: 'ended' }));
    }
  };
  const isRunning = view !== null && view.state !== 'ended';
  return (
    <>
      <h1>Realtime</h1>
      <p>
        Sends the sound of your microphone to the service, which detects speech while you talk. The sound is not stored.
      </p>
      {price.answer !== null && (
        <p>
          A minute costs {number(price.answer.price_per_minute)} credits; your balance is {number(price.answer.balance)}{' '}
          credits.
        </p>
      )}
      <div class="actions">
        <button type="button" class="primary" disabled={isRunning} onClick={() => void start()}>
          Start
        </button>
        <button type="button" disabled={!isRunning} onClick={end}>
          End
        </button>
      </div>
      {error !== '' && <Notice>{error}</Notice>}
      {view !== null && (
        <>
          <p role="status">
            <Badge tone={view.state === 'connected' ? 'good' : 'wait'}>{view.state}</Badge>{' '}
            {view.isSpeaking && <Badge tone="good">speaking</Badge>} {view.message}
          </p>
          <meter class="level" min={-70} max={0} value={view.level} aria-label="level in dBFS" />
          <dl class="facts">
            <div>
              <dt>Credits charged</dt>
              <dd>{number(view.charged)}</dd>
            </div>
            <div>
              <dt>Balance</dt>
              <dd>{view.balance === null ? '' : number(view.balance)}</dd>
            </div>
          </dl>
          {view.speech.length > 0 && <h2>Detected speech</h2>}
          <ol class="speech" aria-label="Detected speech">
            {view.speech.slice(-20).map(({ start: from, end: to }) => (
              <li key={from}>
                {time(from, true)} to {time(to, true)}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
};
