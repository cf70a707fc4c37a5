import * as fc from 'fast-check';

/** Breaks the rules of HTTP in the bytes of a request. */
export interface Breaker {
  readonly name: string;
  readonly breakFraming: (bytes: Buffer, place: number) => Buffer;
}

const end = '\r\n\r\n';

const parts = (bytes: Buffer): readonly [head: string, body: Buffer] => {
  const at = bytes.indexOf(end);
  return [bytes.toString('latin1', 0, at), bytes.subarray(at + end.length)];
};

const withHead = (change: (head: string, place: number) => string) => (bytes: Buffer, place: number) => {
  const [head, body] = parts(bytes);
  return Buffer.concat([Buffer.from(`${change(head, place)}${end}`, 'latin1'), body]);
};

const line = (text: string) => withHead((head) => `${head}\r\n${text}`);

const length = (change: (length: number) => string) =>
  withHead((head) =>
    head.replace(/Content-Length: (\d+)/, (_, given: string) => `Content-Length: ${change(Number(given))}`),
  );

const firstLine = (from: RegExp, to: string) => withHead((head) => head.replace(from, to));

const chunked = (chunks: string) => (bytes: Buffer) => {
  const [head] = parts(bytes);
  const lines = head.split('\r\n').filter((text) => !/^(content-length|transfer-encoding)/i.test(text));
  return Buffer.from(`${lines.join('\r\n')}\r\nTransfer-Encoding: chunked${end}${chunks}`, 'latin1');
};

const instead = (text: string | Buffer) => () => Buffer.from(text);

const breakers: Readonly<Record<string, Breaker['breakFraming']>> = {
  'cut off': (bytes, place) => bytes.subarray(0, place % bytes.length),
  'a byte changed': (bytes, place) => {
    const changed = Buffer.from(bytes);
    changed[place % changed.length] = (place * 37) % 256;
    return changed;
  },
  'a byte put in': (bytes, place) => {
    const at = place % bytes.length;
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([(place * 37) % 256]), bytes.subarray(at)]);
  },
  'length too short': length((given) => String(Math.max(0, given - 3))),
  'length too long': length((given) => String(given + 1_000)),
  'length far too long': length(() => '99999999999999999999'),
  'length negative': length(() => '-1'),
  'length with a sign': length((given) => `+${given}`),
  'length in hexadecimal': length((given) => `0x${given}`),
  'length twice': length((given) => `${given}\r\nContent-Length: ${given + 1}`),
  'length and chunks': line('Content-Length: 4\r\nTransfer-Encoding: chunked'),
  'unknown transfer encoding': line('Transfer-Encoding: xchunked'),
  'two transfer encodings': line('Transfer-Encoding: gzip, chunked'),
  'chunk of no size': chunked('zz\r\n{}\r\n0\r\n\r\n'),
  'chunk that is too large': chunked('ffffffffffffffff\r\n{}\r\n0\r\n\r\n'),
  'chunk of negative size': chunked('-2\r\n{}\r\n0\r\n\r\n'),
  'chunk without its end': chunked('2\r\n{}0\r\n\r\n'),
  'chunks without an end': chunked('2\r\n{}\r\n'),
  'chunk with a long extension': chunked(`2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  'chunks with trailers': chunked(`2\r\n{}\r\n0\r\n${'X-A: b\r\n'.repeat(50)}\r\n`),
  'a thousand small chunks': chunked(`${'1\r\n \r\n'.repeat(1_000)}2\r\n{}\r\n0\r\n\r\n`),
  'lines without a return': (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  'header without a colon': line('X-Broken'),
  'header with a space': line('X-Broken : a'),
  'folded header': line('X-Folded: a\r\n b'),
  'header with a NUL': line('X-Nul: a\u0000b'),
  'header of odd bytes': line('X-\u00ff\u0001: a'),
  'header of 20 kB': line(`X-Long: ${'x'.repeat(20_000)}`),
  'headers of 60 kB': line(Array.from({ length: 3_000 }, (_, at) => `X-${at}: abcdefgh`).join('\r\n')),
  'path of 20 kB': firstLine(/ HTTP/, `?${'x'.repeat(20_000)} HTTP`),
  'another version': firstLine(/HTTP\/1\.1/, 'HTTP/2.0'),
  'an old version': firstLine(/HTTP\/1\.1/, 'HTTP/1.0'),
  'no version': firstLine(/ HTTP\/1\.1/, ''),
  'a whole address': firstLine(/ \//, ' http://else.where/'),
  'another method': firstLine(/^\w+/, 'get'),
  'no method': firstLine(/^\w+ /, ''),
  'a tunnel': firstLine(/^\w+ \S+/, 'CONNECT 127.0.0.1:1'),
  asterisk: firstLine(/^\w+ \S+/, 'OPTIONS *'),
  'two hosts': line('Host: other'),
  'no host': withHead((head) => head.replace('\r\nHost: fuzz', '')),
  'other protocol': line('Connection: Upgrade\r\nUpgrade: h2c'),
  'websocket without a key': line('Connection: Upgrade\r\nUpgrade: websocket'),
  'waits to go on': line('Expect: 100-continue'),
  'followed by nonsense': (bytes) => Buffer.concat([bytes, Buffer.from('nonsense\r\n\r\n')]),
  'followed by itself': (bytes) => Buffer.concat([bytes, bytes, bytes]),
  'a TLS greeting': instead(Buffer.from('16030100f1010000ed0303aabbccddeeff00112233445566778899', 'hex')),
  'an HTTP/2 preface': instead('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  nonsense: (_, place) => Buffer.from(Array.from({ length: 1 + (place % 300) }, (_, at) => (at * place) % 256)),
};

export const breaker: fc.Arbitrary<Breaker> = fc.constantFrom(
  ...Object.entries(breakers).map(([name, breakFraming]) => ({ name, breakFraming })),
);
