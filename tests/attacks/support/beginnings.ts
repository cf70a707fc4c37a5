/**
 * What the connections of a client that opens thousands of them begin with: nothing, half a request, half a body of known and
 * of unknown length, and a whole request.
 */
export const connectionBeginnings = (key: string): ReadonlyArray<string> => {
  const post = `POST /v2/videos HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n`;
  return [
    '',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ',
    `${post}Content-Length: 10000000\r\n\r\n{"title":`,
    `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"tit`,
    'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
  ];
};
