import { setTimeout } from 'node:timers/promises';
import { MediaStreamTrack, RTCPeerConnection, RtpHeader, RtpPacket, useH264, useOPUS, useVP8 } from 'werift';

/** One packet, sent `at` milliseconds after the start. */
export interface Sent {
  readonly at: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly payload: Uint8Array;
  readonly marker?: boolean;
}

export interface SendingPeer {
  readonly connection: RTCPeerConnection;
  /** An offer with its candidates. */
  readonly offer: () => Promise<string>;
  readonly accept: (sdp: string) => Promise<void>;
  /** Fulfilled once media can flow. */
  readonly connected: () => Promise<void>;
  /** Sends packets at their times; ends after the last. */
  readonly send: (kind: 'audio' | 'video', packets: readonly Sent[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Consecutive packets of 20 ms, as a microphone sends them. */
export const streamed = (packets: readonly Uint8Array[], from = 0): readonly Sent[] =>
  packets.map((payload, at) => ({ at: at * 20, sequence: from + at, timestamp: (from + at) * 960, payload }));

/** A WebRTC client of the service, with a microphone and optionally a camera. */
export const sendingPeer = ({ camera = false }: { readonly camera?: boolean } = {}): SendingPeer => {
  const connection = new RTCPeerConnection({
    codecs: { audio: [useOPUS()], video: [useVP8(), useH264()] },
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
  });
  const tracks = { audio: new MediaStreamTrack({ kind: 'audio' }), video: new MediaStreamTrack({ kind: 'video' }) };
  connection.addTransceiver(tracks.audio, { direction: 'sendonly' });
  if (camera) connection.addTransceiver(tracks.video, { direction: 'sendonly' });

  return {
    connection,
    offer: async () => {
      for (const { iceTransport } of connection.dtlsTransports) delete iceTransport.connection.stunServer;
      await connection.setLocalDescription(await connection.createOffer());
      return connection.localDescription?.sdp ?? '';
    },
    accept: async (sdp) => {
      const offered = connection.dtlsTransports;
      await connection.setRemoteDescription({ type: 'answer', sdp });
      /* When media are bundled, the library does not stop the transports of all but the first. */
      const dropped = offered.filter((transport) => !connection.dtlsTransports.includes(transport));
      await Promise.all(dropped.map((transport) => transport.stop()));
    },
    connected: async () => {
      if (connection.connectionState !== 'connected')
        await connection.connectionStateChange.watch((state) => state === 'connected', 10_000);
    },
    send: async (kind, packets) => {
      const start = performance.now();
      for (const { at, sequence, timestamp, payload, marker = false } of packets) {
        const wait = start + at - performance.now();
        if (wait > 0) await setTimeout(wait);
        const header = new RtpHeader({ sequenceNumber: sequence % 65_536, timestamp, payloadType: 96, marker });
        tracks[kind].writeRtp(new RtpPacket(header, Buffer.from(payload)));
      }
    },
    close: () => connection.close(),
  };
};
