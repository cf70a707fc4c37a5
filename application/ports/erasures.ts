/**
 * Registers a listener that is called when this instance learns that data was erased, by itself or by another instance.
 * What was read before must then not be kept in memory.
 */
export type OnErasure = (listener: () => void) => void;
