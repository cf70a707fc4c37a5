/** Options of node for a process that lives briefly: compiling for speed takes a fifth of its start. */
export const brief = ['--no-opt'];
