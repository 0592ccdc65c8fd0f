import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { editsOf, testOf } from './planted/mutation.ts';
import type { Mutation } from './planted/mutation.ts';
import { placesOf, withEdit } from './planted/place.ts';
import type * as Run from './run.ts';

/**
 * Loads the simulator once more, with one bug planted in the product that it imports. For this bug
 * every file of ours gets a module address of its own, so that the unchanged modules stay loaded;
 * packages are shared. Nothing is written to disk.
 */

const ROOT = dirname(import.meta.dirname);
const HOME = pathToFileURL(`${ROOT}/`).href;
const PACKAGES = pathToFileURL(join(ROOT, 'node_modules/')).href;
const BUG = /\?bug=([a-z0-9-]+)$/;

const planted = new Map<string, Mutation>();
const reached = new Set<string>();
let hooked = false;

export function withBug(bug: Mutation): Promise<typeof Run> {
  if (!hooked) hook();
  hooked = true;
  planted.set(bug.name, bug);
  return import(`./run.ts?bug=${bug.name}`) as Promise<typeof Run>;
}

/** Why a bug cannot be planted, or null. */
export function misfit(bug: Mutation): string | null {
  const test = testOf(bug);
  if (test !== null && !existsSync(join(ROOT, test))) return `there is no test file ${test}`;
  for (const { file, find } of editsOf(bug)) {
    const places = existsSync(join(ROOT, file))
      ? placesOf(readFileSync(join(ROOT, file), 'utf8'), find)
      : 0;
    if (places !== 1) return `its text stands ${places} times in ${file}`;
  }
  return null;
}

/**
 * Whether the simulator imports a file that the bug patches; where it does not, no world can find
 * the bug.
 */
export function wasPlanted(bug: Mutation): boolean {
  return reached.has(bug.name);
}

function hook(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const bug = BUG.exec(context.parentURL ?? '');
      const isOurs = found.url.startsWith(HOME) && !found.url.startsWith(PACKAGES);
      return bug === null || !isOurs ? found : { ...found, url: `${found.url}${bug[0]}` };
    },
    load(url, context, next) {
      const bug = planted.get(BUG.exec(url)?.[1] ?? '');
      const found = next(url, context);
      const edits =
        bug === undefined
          ? []
          : editsOf(bug).filter(
              ({ file }) => url.replace(BUG, '') === pathToFileURL(join(ROOT, file)).href,
            );
      if (bug === undefined || edits.length === 0) return found;
      reached.add(bug.name);
      const source = edits.reduce(withEdit, String(found.source));
      return { ...found, source, shortCircuit: true };
    },
  });
}
