/** Node options for a process that runs for seconds only: optimising its code takes a fifth of its start. */
export const shortLivedNodeOptions = ['--no-opt'];
