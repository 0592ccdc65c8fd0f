import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutation } from './mutations.ts';
import type * as Run from './run.ts';

/**
 * Loads the simulator once more, with one bug planted in the product it imports. Every file of ours gets an address of its own
 * for this bug, so that the sound one stays as it is; packages are shared. Nothing is written anywhere.
 */

const ROOT = dirname(import.meta.dirname);
const HOME = pathToFileURL(`${ROOT}/`).href;
const PACKAGES = pathToFileURL(join(ROOT, 'node_modules/')).href;
const BUG = /\?bug=([a-z0-9-]+)$/;

const planted = new Map<string, Mutation>();
let hooked = false;

export function withBug(bug: Mutation): Promise<typeof Run> {
  if (!hooked) hook();
  hooked = true;
  planted.set(bug.name, bug);
  return import(`./run.ts?bug=${bug.name}`) as Promise<typeof Run>;
}

/** Why a patch cannot be planted, or null. */
export function misfit({ file, find }: Mutation): string | null {
  const places = readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;
  return places === 1 ? null : `its text stands ${places} times in ${file}`;
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
      if (bug === undefined || url.replace(BUG, '') !== pathToFileURL(join(ROOT, bug.file)).href) return found;
      const text = String(found.source);
      return { ...found, source: text.replace(bug.find, () => bug.replace), shortCircuit: true };
    },
  });
}
