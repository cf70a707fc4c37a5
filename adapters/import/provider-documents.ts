import type { ProviderDocuments } from '../../application/ports/provider-documents.js';
import { documentLane } from './document-lane.js';
import { importFormats } from './format-names.js';

export interface ProviderDocumentReader extends ProviderDocuments {
  /** Ends the processes; documents under way are broken off. */
  readonly close: () => Promise<void>;
}

const mebibyte = 1024 * 1024;
/** Larger documents have a process of their own, so that others need not wait for them. */
const large = 2 * mebibyte;
const idleProcess = 30_000;

/**
 * The readers of the import command, for documents that are sent to the service. They read in other processes: a large
 * document takes seconds, and a hostile one more memory than there is. After a large one its process is ended at once.
 */
export const providerDocuments = (): ProviderDocumentReader => {
  const lanes = {
    small: documentLane({ megabytes: 96, idle_ms: idleProcess }),
    large: documentLane({ megabytes: 192, idle_ms: 0 }),
  };
  return {
    formats: importFormats,
    read: (document, request) => () => (document.length > large ? lanes.large : lanes.small).read(document, request),
    close: async () => {
      await Promise.all([lanes.small.close(), lanes.large.close()]);
    },
  };
};
