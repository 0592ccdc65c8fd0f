import { watch } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Supervised } from './processes.ts';

/**
 * How long no file may change before a restart, in milliseconds: an editor writes a file in several
 * steps, and a person saves several files.
 */
const QUIET_MS = 300;

/**
 * Restarts a program when a source of `folder` changes. `node --watch` is not used, because it
 * outlives a supervisor that is killed.
 *
 * @returns a function that ends the watching
 */
export function restartOnChange(
  program: Supervised,
  folder: string,
  say: (line: string) => void,
): () => void {
  let pending: NodeJS.Timeout | undefined;
  let restarting = Promise.resolve();
  const restart = async () => {
    say(`${folder} changed: starting ${program.name} again`);
    await program.stop();
    program.start();
  };
  const watcher = watch(join(ROOT, folder), { recursive: true }, (_, file) => {
    if (file === null || !/\.(ts|json|js)$/.test(file) || file.endsWith('.test.ts')) return;
    clearTimeout(pending);
    pending = setTimeout(() => (restarting = restarting.then(restart)), QUIET_MS);
  });
  return () => {
    clearTimeout(pending);
    watcher.close();
  };
}
