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
import type { MediaState } from '../../../../application/ports/realtime-engine.js';
import type { PeerOptions } from '../engine-options.js';
import type { RtpMedia } from '../rtp.js';
import type { ClientConnection, Offer } from '../signalling/check-offer.js';

/** What a peer connection tells. */
export interface PeerEvents {
  readonly packet: (packet: RtpMedia, codec: string) => void;
  readonly state: (state: MediaState) => void;
}

export interface Peer {
  readonly client: ClientConnection;
  /** Answers an offer; rejects when the offer cannot be answered. */
  readonly answer: (offer: Offer) => Promise<string>;
  /** Takes a candidate for a section; false where the offer has no such section. */
  readonly addCandidate: (candidate: string, mid: string | null, line: number | null) => Promise<boolean>;
  /** When something was last heard of the other side. */
  readonly heardAt: () => number;
  readonly close: () => Promise<void>;
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

const connectionOf = (options: PeerOptions, heard: () => void): RTCPeerConnection =>
  new RTCPeerConnection({
    codecs: { audio: [useOPUS()], video: [useVP8(), useH264(), useVP9(), useAV1X()] },
    iceServers: options.iceServers,
    iceAdditionalHostAddresses: options.additionalAddresses,
    iceTransportPolicy: options.relayOnly ? 'relay' : 'all',
    icePortRange: options.portRange,
    bundlePolicy: 'max-compat',
    iceFilterStunResponse: () => {
      heard();
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

/** The transports of a connection; they change with its offers. */
const transportsOf = (connection: RTCPeerConnection, { iceServers }: PeerOptions, events: TransportEvents) => {
  /** Those that are listened to, each with the codecs of its payload types as of the last offer. */
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
    /* The library asks a public server where none is configured. */
    if (iceServers.length === 0) delete transport.iceTransport.connection.stunServer;
    transport.onRtp.subscribe((packet) =>
      events.packet(packet, followed.get(transport)?.get(packet.header.payloadType) ?? ''),
    );
    transport.onRtcp.subscribe(events.rtcp);
  };
  return {
    follow: (): void => connection.dtlsTransports.forEach(follow),
    /** Where an offer bundles what was apart, the library forgets transports without closing them. */
    stopForgotten: async (): Promise<void> => {
      const forgotten = [...followed.keys()].filter((transport) => !connection.dtlsTransports.includes(transport));
      for (const transport of forgotten) {
        followed.delete(transport);
        await transport.stop();
      }
    },
  };
};

/** One peer connection that receives media. */
export const peer = (offered: Offer, options: PeerOptions, events: PeerEvents): Peer => {
  let heardAt = performance.now();
  const heard = (): void => {
    heardAt = performance.now();
  };
  const connection = connectionOf(options, heard);
  const transports = transportsOf(connection, options, {
    packet: (packet, codec) => {
      heard();
      events.packet(mediaOf(packet, heardAt), codec);
    },
    rtcp: heard,
  });
  connection.connectionStateChange.subscribe((state) => {
    const told = stateOf(state);
    if (told !== undefined) events.state(told);
  });

  return {
    client: offered.client,
    answer: async ({ sdp, candidates }) => {
      await connection.setRemoteDescription({ type: 'offer', sdp });
      transports.follow();
      for (const { candidate, mid } of candidates) await connection.addIceCandidate({ candidate, sdpMid: mid });
      await connection.setLocalDescription(await connection.createAnswer());
      await transports.stopForgotten();
      return connection.localDescription?.sdp ?? '';
    },
    addCandidate: async (candidate, mid, line) => {
      const sections = connection._remoteDescription?.media ?? [];
      const section = mid === null ? sections[line ?? 0] : sections.find(({ rtp }) => rtp.muxId === mid);
      if (section?.rtp.muxId === undefined) return false;
      await connection.addIceCandidate({ candidate, sdpMid: section.rtp.muxId });
      return true;
    },
    heardAt: () => heardAt,
    close: async () => {
      await transports.stopForgotten();
      await connection.close();
    },
  };
};
