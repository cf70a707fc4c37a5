import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';

/** The path itself or the nearest folder above it that exists. */
const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

/** What is wrong with `DATA_DIR`: it cannot be created, or not be written to. Null if nothing. Creates nothing. */
export const dataFolderFault = (data_dir: string): string | null => {
  const wanted = 'DATA_DIR must be a folder, or a path where one can be created';
  const existing = nearestExisting(resolve(data_dir));
  if (!statSync(existing).isDirectory()) return `${wanted}: ${existing} is not a folder`;
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return `${wanted}: writing to ${data_dir} is not permitted`;
  }
};

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

/** What is wrong with the files of the certificate and its key, if the protocol endpoint is turned on with TLS. */
export const tlsFileFaults = ({
  EVENTSTORE_PORT = '',
  EVENTSTORE_TLS_CERT = '',
  EVENTSTORE_TLS_KEY = '',
}: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> => {
  if (EVENTSTORE_PORT === '' || EVENTSTORE_TLS_CERT === '' || EVENTSTORE_TLS_KEY === '') return [];
  try {
    createSecureContext({ cert: readFileSync(EVENTSTORE_TLS_CERT), key: readFileSync(EVENTSTORE_TLS_KEY) });
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      `EVENTSTORE_TLS_CERT and EVENTSTORE_TLS_KEY must be a certificate and its key in PEM form: ${EVENTSTORE_TLS_CERT} and ${EVENTSTORE_TLS_KEY} are not (${reason})`,
    ];
  }
};
