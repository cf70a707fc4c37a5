import { errorOfAnswer, errorOfClose, errorOfCode, ServiceError } from './words.js';

const request = async (key, path, body) => {
  let response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(20_000),
    });
  } catch {
    throw new ServiceError('The service cannot be reached.', true);
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw errorOfAnswer(response.status, answer.detail, Number(response.headers.get('Retry-After') ?? 0));
};

/** Ends a session; one that has ended already is as good. Throws when the service cannot be reached. */
export const endSession = (key, id) =>
  request(key, `/v2/realtime/session/${id}/end`).catch((error) => {
    if (error.status !== 404) throw error;
  });

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

const connect = async (key, created, microphone, lost) => {
  const connection = new RTCPeerConnection({ iceServers: created.ice_servers });
  const path = `/v2/realtime/session/${created.session_id}`;
  for (const track of microphone.getTracks()) connection.addTrack(track, microphone);
  connection.addEventListener('connectionstatechange', () => {
    if (['disconnected', 'failed'].includes(connection.connectionState))
      lost(new ServiceError('The connection for sound was lost.', true));
  });
  const offer = await connection.createOffer();
  const early = [];
  let answered = false;
  const trickle = (candidate) =>
    request(key, `${path}/ice`, {
      candidate: candidate?.candidate ?? '',
      sdp_mid: candidate?.sdpMid ?? null,
      sdp_m_line_index: candidate?.sdpMLineIndex ?? null,
    }).catch(() => undefined);
  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (answered) void trickle(candidate);
    else early.push(candidate);
  });
  await connection.setLocalDescription(offer);
  const answer = await request(key, `${path}/offer`, { type: 'offer', sdp: connection.localDescription.sdp });
  answered = true;
  await Promise.all(early.map(trickle));
  await connection.setRemoteDescription(answer);
  return connection;
};

/**
 * Creates, opens and negotiates one session. `created` hears its id, `frame` its results, `lost` once why it is over,
 * unless it was closed from here.
 */
export const beginSession = async (key, microphone, { created: began, frame, lost }) => {
  const created = await request(key, '/v2/realtime/session');
  began(created.session_id);
  let over = false;
  let connection;
  let socket;
  const close = () => {
    over = true;
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
    connection = await connect(key, created, microphone, lose);
  } catch (error) {
    const first = !over;
    close();
    if (first) throw error;
  }
  if (over) connection?.close();
  return { close };
};
