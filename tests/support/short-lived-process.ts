/** Node options for a process that lives for seconds: optimising its code takes a fifth of its start. */
export const shortLivedNodeOptions = ['--no-opt'];
