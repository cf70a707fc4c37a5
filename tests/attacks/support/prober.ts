import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

const Waits = t.type({ own: t.number, clock: t.number, requests: t.number, failures: t.number });
const Probed = t.type({ service: Waits, bystander: Waits });

/**
 * The longest waits in milliseconds for GET /healthz and the reads of an account that has a key here, and for a server that
 * does nothing else: by the clock, and without the time in which the machine had no processor for the service.
 */
export type Probed = t.TypeOf<typeof Probed>;

export interface Prober {
  /** Ends the probing and returns the measurements. */
  readonly end: () => Promise<Probed>;
}

const scriptOf = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

const textOf = async (child: ChildProcess): Promise<string> => {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
};

/** A server that does nothing, in a process of its own. */
export const startBystander = async (): Promise<{ readonly port: number; readonly end: () => void }> => {
  const child = spawn(process.execPath, [scriptOf('bystander-process')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  return { port: Number(line), end: () => child.stdin.end() };
};

/** Begins to ask a service, and the bystander, every 10 ms. */
export const startProber = (
  service: { readonly port: number; readonly pid: number },
  bystanderPort: number,
  key: string,
): Prober => {
  const given = [service.port, service.pid, bystanderPort, key].map(String);
  const child = spawn(process.execPath, [scriptOf('prober-process'), ...given], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const text = textOf(child);
  return {
    end: async () => {
      child.stdin.end();
      const probed = Probed.decode(JSON.parse(await text));
      if (E.isLeft(probed)) throw new Error(`the prober said: ${await text}`);
      return probed.right;
    },
  };
};
