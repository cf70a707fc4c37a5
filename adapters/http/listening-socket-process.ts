import { Server } from 'node:net';

/*
 * Sends each listening socket that it is sent back: it arrives as another handle of the same socket. Here it is closed in
 * the same turn, before any connection can be accepted. So that this is so with the first one too, it asks for it.
 */

process.on('message', (_, socket: unknown) => {
  if (!(socket instanceof Server)) return;
  process.send?.('handle', socket);
  socket.close();
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
