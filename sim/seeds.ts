import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which worlds belong to which version of the code. */

const ROOT = dirname(import.meta.dirname);
/** The folders whose code a world runs. */
const FOLDERS = ['lib', 'sim'];
const NOT_OURS = /(^|\/)(generated|node_modules)$|\.test\.ts$/;
/** Smaller seeds are left to people and to tests that name a seed. */
const FIRST = 1_000_000;
/** The most seeds of one commit, so that the ranges of two commits do not overlap. */
export const RANGE = 2_000;
const LAST = 9_000_000_000_000;
const HASH_DIGITS = 13;

/**
 * The commit that is checked out; the hash of the code where there is no git. Hexadecimal, at least
 * 40 digits.
 */
export function commit(): string {
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return /^[0-9a-f]{40,}$/.test(hash) ? hash : codeHash();
  } catch {
    return codeHash();
  }
}

/** SHA-256 of the simulator and of all code that it may import, as it is on the disk. */
export function codeHash(): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS)
    for (const file of filesBelow(folder))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(ROOT, file)))
        .update('\0');
  return hash.digest('hex');
}

/** The first seed of the range that belongs to a commit, of at most `RANGE` seeds. */
export function rangeOf(hash: string): number {
  const slots = (LAST - FIRST) / RANGE;
  return FIRST + RANGE * (Number.parseInt(hash.slice(0, HASH_DIGITS), 16) % Math.floor(slots));
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (NOT_OURS.test(path)) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}
