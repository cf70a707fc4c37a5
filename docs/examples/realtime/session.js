import { errorOfAnswer, errorOfClose, errorOfCode, ServiceError } from './words.js';

const ask = async (url, options = {}) => {
  let response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(20_000), ...options });
  } catch {
    throw new ServiceError('The service cannot be reached.', true);
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw errorOfAnswer(response.status, answer.detail, Number(response.headers.get('Retry-After') ?? 0));
};

/** The price of a minute, and the balance. Like sessions, they come from this page's own server. */
export const fetchPrice = () => ask('price');

/** Calls an endpoint of a session at the service, with the session's token. */
const request = ({ session_url: url, token }, path, body) =>
  ask(`${url}/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    keepalive: path === 'end',
  });

/**
 * Ends a session. Resolves with its duration and charge, or with undefined if it had already ended. Rejects if the service
 * cannot be reached.
 */
export const endSession = (session) =>
  request(session, 'end').catch((error) => {
    if (error.status !== 404) throw error;
  });

/** Keeps renewing the session's token when half of its lifetime is over. Returns a function that stops this. */
const renewToken = (session) => {
  let timer;
  const schedule = () => {
    timer = setTimeout(renew, Math.max(1_000, (Date.parse(session.token_expires_at) - Date.now()) / 2));
  };
  const renew = async () => {
    const renewed = await request(session, 'token').catch(() => ({}));
    Object.assign(session, renewed);
    schedule();
  };
  schedule();
  return () => clearTimeout(timer);
};

const openResults = ({ session_id: id, token, results_url: url }, onFrame, onLost) => {
  const socket = new WebSocket(url, [`bearer.${token}`]);
  let sessionError;
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === 'error') sessionError = errorOfCode(frame.code, frame.error, frame);
    onFrame(frame, id);
  });
  socket.addEventListener('close', ({ code, reason }) => onLost(sessionError ?? errorOfClose(code, reason)));
  return socket;
};

const connect = async (session, microphone, onFailed) => {
  const connection = new RTCPeerConnection({ iceServers: session.ice_servers });
  for (const track of microphone.getTracks()) connection.addTrack(track, microphone);
  connection.addEventListener('connectionstatechange', () => {
    if (connection.connectionState === 'failed') onFailed();
  });
  const offer = await connection.createOffer();
  const earlyCandidates = [];
  let answered = false;
  const sendCandidate = (candidate) =>
    request(session, 'ice', {
      candidate: candidate?.candidate ?? '',
      sdp_mid: candidate?.sdpMid ?? null,
      sdp_m_line_index: candidate?.sdpMLineIndex ?? null,
    }).catch(() => undefined);
  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (answered) void sendCandidate(candidate);
    else earlyCandidates.push(candidate);
  });
  await connection.setLocalDescription(offer);
  const answer = await request(session, 'offer', { type: 'offer', sdp: connection.localDescription.sdp });
  answered = true;
  await Promise.all(earlyCandidates.map(sendCandidate));
  await connection.setRemoteDescription(answer);
  return connection;
};

/**
 * Lets this page's server create a session, then opens its results and negotiates media. `onCreated` receives the session,
 * `onFrame` each result, and `onLost` once the reason why the session is over, unless it was closed with `close`. Media that
 * failed are offered again in the same session; those that are only disconnected come back by themselves.
 */
export const beginSession = async (microphone, { onCreated, onFrame, onLost }) => {
  const session = await ask('session', { method: 'POST' });
  onCreated(session);
  const stopRenewal = renewToken(session);
  let closed = false;
  let connection;
  let socket;
  const close = () => {
    closed = true;
    stopRenewal();
    connection?.close();
    socket?.close();
  };
  const closeWith = (error) => {
    if (closed) return;
    close();
    onLost(error);
  };
  let negotiating = false;
  const negotiate = async () => {
    if (closed || negotiating) return;
    negotiating = true;
    connection?.close();
    try {
      connection = await connect(session, microphone, offerAgain);
      if (closed) connection.close();
    } finally {
      negotiating = false;
    }
  };
  const offerAgain = () => void negotiate().catch(closeWith);
  const onEachFrame = (frame, id) => {
    if (frame.type === 'media' && frame.state === 'failed') offerAgain();
    onFrame(frame, id);
  };
  socket = openResults(session, onEachFrame, closeWith);
  try {
    await negotiate();
  } catch (error) {
    const alreadyReported = closed;
    close();
    if (!alreadyReported) throw error;
  }
  return { close };
};
