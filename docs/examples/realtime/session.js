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

/** What a minute costs, and what is left to spend: from this page's own server, as a session is. */
export const priceOfMinute = () => ask('price');

/** Asks the service itself about a session, with the session's token. */
const request = ({ session_id: id, service_url: url, token }, path, body) =>
  ask(`${url}/v2/realtime/session/${id}/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    keepalive: path === 'end',
  });

/**
 * Ends a session: resolves with what it came to, or with nothing where it had ended already. Throws when the service
 * cannot be reached.
 */
export const endSession = (session) =>
  request(session, 'end').catch((error) => {
    if (error.status !== 404) throw error;
  });

/** Renews the session's token when half of its time is over, again and again; returns how to stop. */
const keepToken = (session) => {
  let timer;
  const plan = () => {
    timer = setTimeout(renew, Math.max(1_000, (Date.parse(session.token_expires_at) - Date.now()) / 2));
  };
  const renew = async () => {
    const renewed = await request(session, 'token').catch(() => ({}));
    Object.assign(session, renewed);
    plan();
  };
  plan();
  return () => clearTimeout(timer);
};

const openResults = ({ session_id: id, token, results_url: url }, frame, lost) => {
  const socket = new WebSocket(url, [`bearer.${token}`]);
  let ended;
  socket.addEventListener('message', ({ data }) => {
    const told = JSON.parse(data);
    if (told.type === 'error') ended = errorOfCode(told.code, told.error, told.retry_after_seconds);
    frame(told, id);
  });
  socket.addEventListener('close', ({ code, reason }) => lost(ended ?? errorOfClose(code, reason)));
  return socket;
};

const connect = async (created, microphone, lost) => {
  const connection = new RTCPeerConnection({ iceServers: created.ice_servers });
  for (const track of microphone.getTracks()) connection.addTrack(track, microphone);
  connection.addEventListener('connectionstatechange', () => {
    if (['disconnected', 'failed'].includes(connection.connectionState))
      lost(new ServiceError('The connection for sound was lost.', true));
  });
  const offer = await connection.createOffer();
  const early = [];
  let answered = false;
  const trickle = (candidate) =>
    request(created, 'ice', {
      candidate: candidate?.candidate ?? '',
      sdp_mid: candidate?.sdpMid ?? null,
      sdp_m_line_index: candidate?.sdpMLineIndex ?? null,
    }).catch(() => undefined);
  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (answered) void trickle(candidate);
    else early.push(candidate);
  });
  await connection.setLocalDescription(offer);
  const answer = await request(created, 'offer', { type: 'offer', sdp: connection.localDescription.sdp });
  answered = true;
  await Promise.all(early.map(trickle));
  await connection.setRemoteDescription(answer);
  return connection;
};

/**
 * Has this page's server create a session, then opens and negotiates it. `created` hears of the session, `frame` its
 * results, `lost` once why it is over, unless it was closed from here.
 */
export const beginSession = async (microphone, { created: began, frame, lost }) => {
  const created = await ask('session', { method: 'POST' });
  began(created);
  const forgetToken = keepToken(created);
  let over = false;
  let connection;
  let socket;
  const close = () => {
    over = true;
    forgetToken();
    connection?.close();
    socket?.close();
  };
  const lose = (error) => {
    if (over) return;
    close();
    lost(error);
  };
  socket = openResults(created, frame, lose);
  try {
    connection = await connect(created, microphone, lose);
  } catch (error) {
    const first = !over;
    close();
    if (first) throw error;
  }
  if (over) connection?.close();
  return { close };
};
