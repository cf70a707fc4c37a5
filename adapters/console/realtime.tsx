import { useEffect, useRef, useState } from 'preact/hooks';
import type { MediaAnalysis, ResultsFrame } from '../client/index.js';
import { number, time, words } from './format.js';
import { useAsked } from './hooks.js';
import type { Session } from './session.js';
import { Badge, Notice } from './ui.js';

interface Speech {
  readonly start: number;
  readonly end: number;
}

interface Heard {
  readonly state: string;
  readonly level: number;
  readonly isSpeaking: boolean;
  readonly speech: ReadonlyArray<Speech>;
  readonly charged: number;
  readonly balance: number | null;
  readonly said: string;
}

const nothing: Heard = {
  state: 'connecting',
  level: -100,
  isSpeaking: false,
  speech: [],
  charged: 0,
  balance: null,
  said: '',
};
const mostSpeech = 500;

const spoken = (speech: ReadonlyArray<Speech>, start: number, end: number): ReadonlyArray<Speech> => {
  const last = speech.at(-1);
  if (last !== undefined && start - last.end < 0.05) return [...speech.slice(0, -1), { start: last.start, end }];
  return [...speech, { start, end }].slice(-mostSpeech);
};

const after = (heard: Heard, frame: ResultsFrame): Heard => {
  switch (frame.type) {
    case 'ready':
      return { ...heard, state: 'ready', balance: frame.balance };
    case 'media':
      return { ...heard, state: frame.state };
    case 'result': {
      if (frame.kind !== 'voice_activity') return heard;
      const { level_dbfs: level, speaking: isSpeaking, start, end } = frame;
      return { ...heard, level, isSpeaking, speech: isSpeaking ? spoken(heard.speech, start, end) : heard.speech };
    }
    case 'usage':
      return { ...heard, charged: frame.credits_charged, balance: frame.balance };
    case 'warning':
      return { ...heard, said: `The credits last for ${number(frame.seconds_left)} s more.` };
    case 'error':
      return { ...heard, said: frame.error };
    default:
      return heard;
  }
};

/** Sends the microphone to a new session; `end` lets go of everything. */
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

/** What keeps from the microphone, in words; a browser says it in its own. */
const troubleOf = (reason: unknown): string => {
  const name = reason instanceof Error ? reason.name : '';
  if (name === 'NotFoundError') return 'This computer has no microphone.';
  if (name === 'NotAllowedError') return 'The browser does not let this page use the microphone.';
  return words(reason);
};

/** A realtime session with this computer's microphone: level, when somebody speaks, and what it costs. */
export const Realtime = ({ session: { client } }: { readonly session: Session }) => {
  const [heard, setHeard] = useState<Heard | null>(null);
  const [error, setError] = useState('');
  const price = useAsked((signal) => client.sessions.price({ signal }), [client]);
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
    setHeard(nothing);
    try {
      for await (const frame of await open(client, own.signal)) setHeard((before) => after(before ?? nothing, frame));
    } catch (reason) {
      if (!own.signal.aborted) setError(troubleOf(reason));
    } finally {
      own.abort();
      if (stop.current === own) stop.current = null;
      setHeard((before) => (before === null || before.state === 'connecting' ? null : { ...before, state: 'ended' }));
    }
  };
  const isRunning = heard !== null && heard.state !== 'ended';
  return (
    <>
      <h1>Realtime</h1>
      <p>
        Sends the sound of your microphone to the service, which says at once when somebody speaks. Nothing is kept of
        it.
      </p>
      {price.answer !== null && (
        <p>
          A minute costs {number(price.answer.price_per_minute)} credits; the account has {number(price.answer.balance)}
          .
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
      {heard !== null && (
        <>
          <p role="status">
            <Badge tone={heard.state === 'connected' ? 'good' : 'wait'}>{heard.state}</Badge>{' '}
            {heard.isSpeaking && <Badge tone="good">speaking</Badge>} {heard.said}
          </p>
          <meter class="level" min={-70} max={0} value={heard.level} aria-label="level in dBFS" />
          <dl class="facts">
            <div>
              <dt>Charged</dt>
              <dd>{number(heard.charged)}</dd>
            </div>
            <div>
              <dt>Balance</dt>
              <dd>{heard.balance === null ? '' : number(heard.balance)}</dd>
            </div>
          </dl>
          {heard.speech.length > 0 && <h2>When somebody spoke</h2>}
          <ol class="speech" aria-label="When somebody spoke">
            {heard.speech.slice(-20).map(({ start: from, end: to }) => (
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
