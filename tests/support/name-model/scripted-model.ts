import { type LocalServer, startLocalServer } from '../local-server.js';
import { type ModelRequest, readModelRequest, type Behaviour, findsIntroductions } from './behaviours.js';

/** A server that imitates a chat completions endpoint; `url`: for `NAME_MODEL_URL`. */
export interface ScriptedModel extends LocalServer {
  /** Every request that reached it. */
  readonly requests: ReadonlyArray<ModelRequest>;
  /** Sets the behaviour for each of the next requests; the last one applies to all further requests. */
  readonly play: (...behaviours: ReadonlyArray<Behaviour>) => void;
}

/** Starts a model that finds introductions until `play` sets other behaviours. */
export const startScriptedModel = async (port = 0): Promise<ScriptedModel> => {
  const requests: ModelRequest[] = [];
  let script: ReadonlyArray<Behaviour> = [];
  const server = await startLocalServer((arrived, response) => {
    const received = readModelRequest(arrived);
    requests.push(received);
    const [behaviour = findsIntroductions, ...rest] = script;
    if (rest.length > 0) script = rest;
    behaviour(received, response);
  }, port);
  return { ...server, url: `${server.url}/v1`, requests, play: (...behaviours) => void (script = behaviours) };
};
