import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

/** A remote analysis engine, as docs/realtime.md describes it. It reports media as connected as soon as reports are open. */
export interface HttpEngine {
  readonly url: string;
  /** The received requests, as `METHOD path`. */
  readonly requests: ReadonlyArray<string>;
  /** Writes a line to the reports of a session. */
  readonly write: (session: string, line: string) => void;
  /** Ends the connection of a session's reports. */
  readonly breakOff: (session: string) => void;
  /** Answers all requests with this status from now on; null: normally. */
  readonly answerAll: (status: number | null) => void;
  readonly close: () => Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-argument -- Node types chunks as any
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString() || 'null');
};

const fieldOf = (body: unknown, name: 'sdp' | 'candidate'): string => {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = name in body ? Reflect.get(body, name) : '';
  return typeof value === 'string' ? value : '';
};

const connected = `${JSON.stringify({ kind: 'media', state: 'connected' })}\n`;

export const startHttpEngine = async (): Promise<HttpEngine> => {
  const requests: string[] = [];
  const reports = new Map<string, ServerResponse>();
  let forced: number | null = null;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url}`);
    const body = await bodyOf(request);
    const [, , session = '', what = ''] = url.split('/');
    const answer = (status: number, text = '{}'): void => void response.writeHead(forced ?? status).end(text);
    if (forced !== null || url === '/health') return answer(200);
    if (method === 'DELETE') {
      reports.get(session)?.end();
      return answer(reports.delete(session) ? 200 : 404);
    }
    if (what === 'offer') {
      const sdp = fieldOf(body, 'sdp');
      return sdp.startsWith('v=0') ? answer(200, JSON.stringify({ sdp: `${sdp}a=far\r\n` })) : answer(400, 'no v=0');
    }
    if (what === 'candidates')
      return fieldOf(body, 'candidate').startsWith('candidate:') ? answer(204, '') : answer(400, 'no candidate');
    if (what !== 'reports') return answer(404);
    reports.set(session, response);
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.write(connected);
    return undefined;
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    write: (session, line) => void reports.get(session)?.write(line),
    breakOff: (session) => void reports.get(session)?.destroy(),
    answerAll: (status) => void (forced = status),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
