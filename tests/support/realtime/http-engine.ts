import type { ServerResponse } from 'node:http';
import * as t from 'io-ts';
import { type LocalServer, startLocalServer } from '../local-server.js';

/** A remote analysis engine, as docs/realtime.md describes it. It reports media as connected as soon as reports are open. */
export interface HttpEngine extends LocalServer {
  /** The received requests, as `METHOD path`. */
  readonly requests: ReadonlyArray<string>;
  /** Writes a line to the reports of a session. */
  readonly write: (session: string, line: string) => void;
  /** Ends the connection of a session's reports. */
  readonly breakOff: (session: string) => void;
  /** Answers all requests with this status from now on; null: normally. */
  readonly answerAll: (status: number | null) => void;
}

const Body = t.partial({ sdp: t.string, candidate: t.string });

const connected = `${JSON.stringify({ kind: 'media', state: 'connected' })}\n`;

export const startHttpEngine = async (): Promise<HttpEngine> => {
  const requests: string[] = [];
  const reports = new Map<string, ServerResponse>();
  let forced: number | null = null;
  const server = await startLocalServer(({ method, url, body }, response): void => {
    requests.push(`${method} ${url}`);
    const sent: unknown = body === '' ? null : JSON.parse(body);
    const { sdp = '', candidate = '' } = Body.is(sent) ? sent : {};
    const [, , session = '', what = ''] = url.split('/');
    const answer = (status: number, text = '{}'): void => void response.writeHead(forced ?? status).end(text);
    if (forced !== null || url === '/health') return answer(200);
    if (method === 'DELETE') {
      reports.get(session)?.end();
      return answer(reports.delete(session) ? 200 : 404);
    }
    if (what === 'offer') {
      return sdp.startsWith('v=0') ? answer(200, JSON.stringify({ sdp: `${sdp}a=far\r\n` })) : answer(400, 'no v=0');
    }
    if (what === 'candidates')
      return candidate.startsWith('candidate:') ? answer(204, '') : answer(400, 'no candidate');
    if (what !== 'reports') return answer(404);
    reports.set(session, response);
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.write(connected);
  });
  return {
    ...server,
    requests,
    write: (session, line) => void reports.get(session)?.write(line),
    breakOff: (session) => void reports.get(session)?.destroy(),
    answerAll: (status) => void (forced = status),
  };
};
