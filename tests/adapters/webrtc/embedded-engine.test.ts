import { embeddedEngine } from '../../../adapters/realtime/webrtc/embedded-engine.js';
import { realtimeEngineContract } from '../../support/contracts/realtime-engine-contract.js';

describe('realtime engine: embedded', () =>
  realtimeEngineContract(() => embeddedEngine({ threads: 2, additionalAddresses: ['127.0.0.1'] })));
