/** Half of a pause is left to chance, so that many instances do not come back at the same moment. */
export const withJitter = (pause_ms: number): number => pause_ms / 2 + (Math.random() * pause_ms) / 2;
