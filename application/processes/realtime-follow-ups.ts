import type { CreditAccountCommand } from '../../domain/credit-account/contract.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { creditsOf, zeroCredits } from '../../domain/kernel/credits.js';
import { type AccountId, ChargeId, type SessionId } from '../../domain/kernel/ids.js';
import {
  type RealtimeCapacityCommand,
  type RealtimeCapacityEvent,
  realtimeCapacityEvents,
} from '../../domain/realtime-capacity/contract.js';
import {
  type RealtimeSessionCommand,
  type RealtimeSessionEvent,
  realtimeSessionEvents,
} from '../../domain/realtime-session/contract.js';

/** A command to another stream that an event of a realtime session makes necessary. */
export type RealtimeFollowUp =
  | { readonly to: 'creditAccount'; readonly id: AccountId; readonly command: CreditAccountCommand }
  | { readonly to: 'realtimeSession'; readonly id: SessionId; readonly command: RealtimeSessionCommand }
  | { readonly to: 'realtimeCapacity'; readonly id: 'all'; readonly command: RealtimeCapacityCommand };

type RealtimeEvent = RealtimeSessionEvent | RealtimeCapacityEvent;

export const isRealtimeEvent = (event: DomainEvent): event is RealtimeEvent =>
  event.type in realtimeSessionEvents || event.type in realtimeCapacityEvents;

/** The charge's id is the session's with the number of the metering: each is booked once, however often it is asked. */
const charge = ({
  session_id,
  account_id,
  index,
  amount,
  at,
}: Extract<RealtimeSessionEvent, { type: 'RealtimeSessionMetered' }>['data']): ReadonlyArray<RealtimeFollowUp> => {
  const charge_id = `${session_id}:${index}`;
  const due = creditsOf(amount);
  if (!ChargeId.is(charge_id) || due === zeroCredits) return [];
  const about = { run_id: null, session_id, audio_id: null };
  const reason = 'realtime session';
  return [
    {
      to: 'creditAccount',
      id: account_id,
      command: { type: 'ChargeCredits', charge_id, amount: due, reason, ...about, at },
    },
  ];
};

/**
 * What is metered is charged, what has ended gives back its slot and what it held, and what lost its slot has ended.
 */
export const realtimeFollowUps = (event: RealtimeEvent): ReadonlyArray<RealtimeFollowUp> => {
  switch (event.type) {
    case 'RealtimeSessionMetered':
      return charge(event.data);
    case 'RealtimeSessionEnded': {
      const { session_id, account_id, at } = event.data;
      const freed: RealtimeFollowUp = {
        to: 'realtimeCapacity',
        id: 'all',
        command: { type: 'FreeSlot', session_id, at },
      };
      if (account_id === null) return [freed];
      return [
        freed,
        { to: 'creditAccount', id: account_id, command: { type: 'ReleaseHold', hold_id: session_id, at } },
      ];
    }
    case 'RealtimeSlotLapsed': {
      const { session_id, at } = event.data;
      const command: RealtimeSessionCommand = { type: 'EndSession', reason: 'expired', used_until: null, at };
      return [{ to: 'realtimeSession', id: session_id, command }];
    }
    case 'RealtimeSessionCreated':
    case 'RealtimeSessionTokenIssued':
    case 'RealtimeSessionNegotiated':
    case 'RealtimeSessionConnected':
    case 'RealtimeSessionDisconnected':
    case 'RealtimeSlotTaken':
    case 'RealtimeSlotFreed':
      return [];
  }
};
