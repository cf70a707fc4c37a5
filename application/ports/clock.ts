import type { Timestamp } from '../../domain/kernel/timestamp.js';

export interface Clock {
  readonly now: () => Timestamp;
}
