import { randomUUID } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { PreparedEvent } from '../log/append.js';
import type { ServedLog } from '../log/open-log.js';
import { toStored } from '../log/stored-payload.js';
import { type Message, originalOf } from './consumer.js';
import { type GroupName, parkedStreamOf } from './settings.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

/** A link to the event, with the reason for parking it. */
const parkedEvent = (message: Message, reason: string): PreparedEvent => {
  const row = originalOf(message);
  const about = JSON.stringify({ added: new Date().toISOString(), reason, retries: message.retries });
  return {
    id: randomUUID(),
    type: '$>',
    ...toStored({ isJson: false, data: bytes(`${row?.[2]}@${row?.[1]}`), metadata: bytes(about) }, new Date()),
  };
};

/** Parks messages of a group in a stream of its own; resolves once that is durable. */
export const parkingOf =
  ({ appender, write }: ServedLog, name: GroupName) =>
  async (message: Message, reason: string): Promise<void> => {
    const stream = parkedStreamOf(name);
    const written = await write({
      run: () => appender.append(stream, 'any', [parkedEvent(message, reason)]),
      characters: 0,
      newestRow: (outcome) => (outcome._tag === 'Appended' ? outcome.row : 0),
    });
    if (E.isLeft(written) || written.right._tag !== 'Appended') throw new Error(`${stream} could not be written`);
  };
