import { type Arrived, type LocalServer, startLocalServer } from '../../support/local-server.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const mayAll: Answer = { status: 200, body: { admin: true, permissions: [] } };

/**
 * A stand-in for the service: answers by `METHOD path`, everything else with 404, and records the requests. `GET /v1/me`
 * returns all permissions unless others are given, and is not recorded.
 */
export interface StandIn extends LocalServer {
  readonly received: ReadonlyArray<Pick<Arrived, 'method'> & { readonly path: string; key: unknown; body: unknown }>;
}

export const standIn = async (answers: Readonly<Record<string, Answer>>): Promise<StandIn> => {
  const received: Array<StandIn['received'][number]> = [];
  const server = await startLocalServer(({ method, url: path, headers, body }, response) => {
    const sent: unknown = body === '' ? null : JSON.parse(body);
    if (path !== '/v1/me') received.push({ method, path, key: headers['x-api-key'], body: sent });
    const usual = path === '/v1/me' ? mayAll : { status: 404, body: { detail: 'not found' } };
    const answer = answers[`${method} ${path}`] ?? usual;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  return { ...server, received };
};
