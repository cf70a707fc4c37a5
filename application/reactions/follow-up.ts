import type { AudioCommand } from '../../domain/audio/contract.js';
import type { CreditAccountCommand } from '../../domain/credit-account/contract.js';
import type { AccountId, AudioId, RunId, SessionId, VideoId } from '../../domain/kernel/ids.js';
import type { MatchRunCommand } from '../../domain/match-run/contract.js';
import type { RealtimeCapacityCommand } from '../../domain/realtime-capacity/contract.js';
import type { RealtimeSessionCommand } from '../../domain/realtime-session/contract.js';
import type { VideoCommand } from '../../domain/video/contract.js';

/** A command to another stream that an event makes necessary. */
export type FollowUp =
  | { readonly to: 'video'; readonly id: VideoId; readonly command: VideoCommand }
  | { readonly to: 'audio'; readonly id: AudioId; readonly command: AudioCommand }
  | { readonly to: 'creditAccount'; readonly id: AccountId; readonly command: CreditAccountCommand }
  | { readonly to: 'matchRun'; readonly id: RunId; readonly command: MatchRunCommand }
  | { readonly to: 'realtimeSession'; readonly id: SessionId; readonly command: RealtimeSessionCommand }
  | { readonly to: 'realtimeCapacity'; readonly id: 'all'; readonly command: RealtimeCapacityCommand };
