import {
  RTCPeerConnection,
  type RTCDtlsTransport,
  type RtpPacket,
  useAV1X,
  useH264,
  useOPUS,
  useVP8,
  useVP9,
} from 'werift';
import type { MediaState } from '../../../../domain/realtime-session/contract.js';
import type { RtpMedia } from '../media-tracks.js';
import type { Offer } from '../signalling/session-description.js';
import type { PeerOptions } from '../media-thread-handle.js';

interface PeerEvents {
  readonly packet: (packet: RtpMedia, codec: string) => void;
  readonly state: (state: MediaState) => void;
}

const stateOf = (state: RTCPeerConnection['connectionState']): MediaState | undefined => {
  switch (state) {
    case 'connected':
    case 'disconnected':
    case 'failed':
      return state;
    case 'closed':
      return 'disconnected';
    case 'new':
    case 'connecting':
      return undefined;
  }
};

const connectionOf = (options: PeerOptions, onPacket: () => void): RTCPeerConnection =>
  new RTCPeerConnection({
    codecs: { audio: [useOPUS()], video: [useVP8(), useH264(), useVP9(), useAV1X()] },
    iceServers: options.iceServers,
    iceAdditionalHostAddresses: options.additionalAddresses,
    iceTransportPolicy: options.relayOnly ? 'relay' : 'all',
    icePortRange: options.portRange,
    bundlePolicy: 'max-compat',
    iceFilterStunResponse: () => {
      onPacket();
      return true;
    },
  });

const mediaOf = ({ header, payload }: RtpPacket, arrivedAt: number): RtpMedia => ({
  sequence: header.sequenceNumber,
  timestamp: header.timestamp,
  source: header.ssrc,
  marker: header.marker,
  payload,
  arrivedAt,
});

interface TransportEvents {
  readonly packet: (packet: RtpPacket, codec: string) => void;
  readonly rtcp: () => void;
}

/** The transports of a connection. An offer may add and remove transports. */
const transportsOf = (connection: RTCPeerConnection, { iceServers }: PeerOptions, events: TransportEvents) => {
  /** The transports with a listener, each with the codecs of its payload types in the last offer. */
  const followed = new Map<RTCDtlsTransport, Map<number, string>>();

  const codecsOf = (transport: RTCDtlsTransport): Map<number, string> => {
    const codecs = connection
      .getTransceivers()
      .filter(({ dtlsTransport }) => dtlsTransport === transport)
      .flatMap((transceiver) => transceiver.codecs);
    return new Map(codecs.toReversed().map(({ payloadType, mimeType }) => [payloadType, mimeType.toLowerCase()]));
  };
  const follow = (transport: RTCDtlsTransport): void => {
    const known = followed.has(transport);
    followed.set(transport, codecsOf(transport));
    if (known) return;
    /* Without configured servers the library would contact a public STUN server. */
    if (iceServers.length === 0) delete transport.iceTransport.connection.stunServer;
    transport.onRtp.subscribe((packet) =>
      events.packet(packet, followed.get(transport)?.get(packet.header.payloadType) ?? ''),
    );
    transport.onRtcp.subscribe(events.rtcp);
  };
  return {
    follow: (): void => connection.dtlsTransports.forEach(follow),
    /** Stops transports that the last offer bundled with others: the library drops them without closing them. */
    stopDropped: async (): Promise<void> => {
      const dropped = [...followed.keys()].filter((transport) => !connection.dtlsTransports.includes(transport));
      for (const transport of dropped) {
        followed.delete(transport);
        await transport.stop();
      }
    },
  };
};

/** One peer connection that receives media. */
export const peer = (offered: Offer, options: PeerOptions, events: PeerEvents) => {
  let lastPacketAt = performance.now();
  const onPacket = (): void => {
    lastPacketAt = performance.now();
  };
  const connection = connectionOf(options, onPacket);
  const transports = transportsOf(connection, options, {
    packet: (packet, codec) => {
      onPacket();
      events.packet(mediaOf(packet, lastPacketAt), codec);
    },
    rtcp: onPacket,
  });
  connection.connectionStateChange.subscribe((state) => {
    const mediaState = stateOf(state);
    if (mediaState !== undefined) events.state(mediaState);
  });

  return {
    client: offered.client,
    /** Answers an offer; rejects when the offer cannot be answered. */
    answer: async ({ sdp, candidates }: Offer): Promise<string> => {
      await connection.setRemoteDescription({ type: 'offer', sdp });
      transports.follow();
      for (const { candidate, mid } of candidates) await connection.addIceCandidate({ candidate, sdpMid: mid });
      await connection.setLocalDescription(await connection.createAnswer());
      await transports.stopDropped();
      return connection.localDescription?.sdp ?? '';
    },
    /** Adds a candidate for a media section; false if the offer has no such section. */
    addCandidate: async (candidate: string, mid: string | null, line: number | null): Promise<boolean> => {
      const sections = connection._remoteDescription?.media ?? [];
      const section = mid === null ? sections[line ?? 0] : sections.find(({ rtp }) => rtp.muxId === mid);
      if (section?.rtp.muxId === undefined) return false;
      await connection.addIceCandidate({ candidate, sdpMid: section.rtp.muxId });
      return true;
    },
    /** When the last packet of the client arrived. */
    lastPacketAt: () => lastPacketAt,
    close: async (): Promise<void> => {
      await transports.stopDropped();
      await connection.close();
    },
  };
};

export type Peer = ReturnType<typeof peer>;
