/** Compiled modules lie below `dist`, and what several of them share may lie anywhere in it: `adapters/cli/bundle.mjs`. */
const root = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 1);

/** A file or folder of this package. */
export const inPackage = (path: string): URL => new URL(path, root);

/** The compiled script of a thread or a process, a module of its own: its place below `adapters`. */
export const compiledScript = (path: string): URL => inPackage(`dist/adapters/${path}`);
