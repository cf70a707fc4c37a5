import { writeFileSync } from 'node:fs';

/*
 * Loaded into the service before it starts: on SIGUSR2 it collects garbage and writes the memory usage into the file that
 * HEAP_FILE names.
 */

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  writeFileSync(process.env['HEAP_FILE'] ?? '', JSON.stringify(process.memoryUsage()));
});
