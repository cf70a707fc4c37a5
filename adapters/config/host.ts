import { createServer } from 'node:net';

const faults: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'is not an address of this machine',
  EAFNOSUPPORT: 'is of a kind of addresses that this machine does not use',
  EAI_AGAIN: 'cannot be resolved now',
  EINVAL: 'cannot be listened on',
  ENOTFOUND: 'cannot be resolved',
};

/**
 * What is wrong with `HOST`, tested by briefly listening on a free port there. Null if nothing, or if it depends on the
 * configured port.
 */
export const hostFault = (host: string): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      const fault = 'code' in error ? faults[String(error.code)] : undefined;
      resolve(
        fault === undefined
          ? null
          : `HOST must be an address of this machine, or a name that resolves to one: ${host} ${fault}`,
      );
    });
    server.listen(0, host, () => server.close(() => resolve(null)));
  });
