import * as fc from 'fast-check';
import type { Generated } from './requests.js';

const part = fc.oneof(
  fc.constantFrom('@session', '', 'none', 'undefined', '%00', '%ff', 'x'.repeat(3_000), 'bearer.'),
  fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const line = fc.constantFrom(
  '',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Version: 99',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Key: short',
  'Sec-WebSocket-Protocol: bearer.none',
  'Sec-WebSocket-Protocol: ,,, a b',
  'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99',
  'Sec-WebSocket-Extensions: ;;;',
  'Authorization: Bearer none',
  'Origin: null',
  'Content-Length: 5',
);

const usual = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];

/** Handshakes of a results socket, almost all of them invalid. */
export const handshake: fc.Arbitrary<Generated> = fc
  .tuple(part, part, fc.array(line, { maxLength: 4 }), fc.boolean(), fc.constantFrom('', 'xx', '\u0081\u0000'))
  .map(([token, session, lines, sound, after]) => ({ known }) => {
    const head = [
      `GET /v2/realtime/results?session_id=${known(session)}&token=${known(token)} HTTP/1.1`,
      'Host: fuzz',
      'Connection: Upgrade',
      'Upgrade: websocket',
      ...(sound ? usual : []),
      ...lines.filter((text) => text !== ''),
    ];
    return {
      method: 'GET',
      label: 'handshake of a results socket',
      bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n${after}`, 'latin1'),
      whole: false,
      waits: false,
    };
  });
