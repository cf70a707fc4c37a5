import * as t from 'io-ts';
import { JsonObject } from '../../../domain/kernel/json.js';
import { isJsonWithin, limits } from './values.js';

/** Data that a client stores with a session. */
const Metadata = t.refinement(JsonObject, (value) => isJsonWithin(value, limits.metadata), 'Metadata');

export const CreateSessionBody = t.partial({ metadata: t.union([Metadata, t.null]) }, 'CreateSessionBody');

export const OfferBody = t.type({ type: t.literal('offer'), sdp: t.string }, 'OfferBody');

const maxLines = 65_535;

const LineIndex = t.refinement(t.number, (n) => Number.isInteger(n) && n >= 0 && n <= maxLines, 'LineIndex');

/** As in `RTCIceCandidate`; an empty candidate signals the end of candidates. */
export const CandidateBody = t.intersection(
  [
    t.type({ candidate: t.string }),
    t.partial({ sdp_mid: t.union([t.string, t.null]), sdp_m_line_index: t.union([LineIndex, t.null]) }),
  ],
  'CandidateBody',
);
