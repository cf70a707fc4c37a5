/** Clients of the protocol server may write streams whose names begin so, where they may write at all. */
export const outsidePrefix = 'external-';

/** Whether a stream is not this service's own: the protocol server's bookkeeping, or what its clients wrote. */
export const isOutside = (stream: string): boolean => stream.startsWith('$') || stream.startsWith(outsidePrefix);
