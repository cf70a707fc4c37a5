import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : 'it cannot be read';

/** What is wrong with the files of the certificate and its key, if the protocol endpoint is turned on with TLS. */
export const tlsFileFaults = ({
  EVENTSTORE_PORT = '',
  EVENTSTORE_TLS_CERT = '',
  EVENTSTORE_TLS_KEY = '',
}: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> => {
  if (EVENTSTORE_PORT === '' || EVENTSTORE_TLS_CERT === '' || EVENTSTORE_TLS_KEY === '') return [];
  const faults: string[] = [];
  const contentOf = (name: string, file: string): Buffer | null => {
    try {
      return readFileSync(file);
    } catch (error) {
      faults.push(`${name} must be a PEM file: ${file}: ${reasonOf(error)}`);
      return null;
    }
  };
  const cert = contentOf('EVENTSTORE_TLS_CERT', EVENTSTORE_TLS_CERT);
  const key = contentOf('EVENTSTORE_TLS_KEY', EVENTSTORE_TLS_KEY);
  if (cert === null || key === null) return faults;
  try {
    createSecureContext({ cert, key });
    return [];
  } catch {
    return [
      `EVENTSTORE_TLS_CERT and EVENTSTORE_TLS_KEY must be a certificate and its key in PEM form: ${EVENTSTORE_TLS_CERT} and ${EVENTSTORE_TLS_KEY} are not`,
    ];
  }
};
