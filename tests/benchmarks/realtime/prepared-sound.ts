import { type RTCPeerConnection, RtpHeader } from 'werift';

/** Sound on its way to the service; a packet is due every 20 ms from `startsAt` of the clock of `performance`. */
export interface PreparedSound {
  readonly startsAt: number;
  /** Sends the packets that are due. */
  readonly send: (now: number) => void;
}

const packetMilliseconds = 20;
const mostSequences = 2 ** 16;

/**
 * Opus packets, encrypted ahead with the keys of a connected peer, so that sending them costs next to nothing and what
 * is measured is the service. They are repeated until there are `count`; a source sends at most 65,536.
 */
export const preparedSound = (
  connection: RTCPeerConnection,
  payloads: readonly Uint8Array[],
  count: number,
): ((startsAt: number) => PreparedSound) => {
  const [transport] = connection.dtlsTransports;
  const [sender] = connection.getSenders();
  const payloadType = sender?.codec?.payloadType;
  if (transport === undefined || sender === undefined || payloadType === undefined || count > mostSequences)
    throw new Error('this sound cannot be prepared');
  const packets = Array.from({ length: count }, (_, at) => {
    const header = new RtpHeader({ sequenceNumber: at, timestamp: at * 960, payloadType, ssrc: sender.ssrc });
    return transport.srtp.encrypt(Buffer.from(payloads[at % payloads.length] ?? []), header);
  });
  const { iceTransport } = transport;
  return (startsAt) => {
    let next = 0;
    return {
      startsAt,
      send: (now) => {
        for (; startsAt + next * packetMilliseconds <= now; next += 1) {
          const packet = packets[next];
          if (packet === undefined) return;
          void iceTransport.connection.send(packet);
        }
      },
    };
  };
};
