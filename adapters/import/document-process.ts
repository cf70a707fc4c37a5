import * as E from 'fp-ts/lib/Either.js';
import type { DocumentFault, UnderstoodDocument } from '../../application/ports/provider-documents.js';
import { ByteInput } from './byte-input.js';
import { type DocumentAnswer, DocumentTask } from './document-messages.js';
import { readProviderDocument } from './read-provider-document.js';

/*
 * The script of a child process that reads documents of providers until its standard input ends. A document that needs
 * too much memory ends this process instead of the service.
 */

const write = (bytes: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(bytes, () => resolve());
  });

const answerOf = (read: E.Either<DocumentFault, UnderstoodDocument>): DocumentAnswer => {
  if (E.isLeft(read)) return { fault: { path: read.left.path, message: read.left.message } };
  const { understood, video, audio } = read.right;
  return { understood, video: video?.length ?? null, audio: audio?.length ?? null };
};

/* Ctrl+C reaches the whole process group. The service handles it and closes this process's input. */
process.on('SIGINT', () => undefined);

const input = new ByteInput(process.stdin);
for (let line = await input.line(); line !== null; line = await input.line()) {
  const task: unknown = JSON.parse(line);
  if (!DocumentTask.is(task)) throw new Error('invalid task');
  const bytes = await input.whole(task.length);
  if (bytes === null) break;
  const read = readProviderDocument(bytes, task.request);
  await write(`${JSON.stringify(answerOf(read))}\n`);
  if (E.isRight(read)) for (const body of [read.right.video, read.right.audio]) if (body !== null) await write(body);
}
