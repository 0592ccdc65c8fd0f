import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MUTATIONS } from './mutations.ts';
import type { Mutation } from './mutations.ts';
import { runPool } from './pool.ts';
import type { Broken } from './run.ts';

/** Plants each bug in a copy of the product's own files and lets the simulator look for it there. */

type Options = { root: string; threads: number; seeds: number; from: number; only?: string | undefined; say?: (line: string) => void };
export type Verdict = { mutation: Mutation; killedBy: Broken | null; problem: string | null };

/** True when every planted bug is found and every patch still fits. */
export async function runMutations({ say = console.log, ...options }: Options): Promise<boolean> {
  const chosen = MUTATIONS.filter((one) => options.only === undefined || options.only.split(',').includes(one.name));
  const began = performance.now();
  const verdicts: Verdict[] = [];
  const left = [...chosen].reverse();
  const lane = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const verdict = await tryMutation(options, one);
      verdicts.push(verdict);
      say(lineOf(verdict, options.seeds));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.threads) }, lane));
  const alive = verdicts.filter((one) => one.killedBy === null);
  say(`${verdicts.length - alive.length} of ${verdicts.length} planted bugs found in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return alive.length === 0 && verdicts.length > 0;
}

function lineOf({ mutation, killedBy, problem }: Verdict, seeds: number): string {
  if (problem !== null) return `✗ ${mutation.name}: ${problem}`;
  if (killedBy === null) return `✗ ${mutation.name} (${mutation.about}): survives ${seeds} seeds`;
  return `✓ ${mutation.name} (${mutation.about}): seed ${killedBy.seed}, ${killedBy.rule}: ${killedBy.what.split('\n')[0]}`;
}

export async function tryMutation({ root, seeds, from }: Pick<Options, 'root' | 'seeds' | 'from'>, mutation: Mutation): Promise<Verdict> {
  const text = readFileSync(join(root, mutation.file), 'utf8');
  const places = text.split(mutation.find).length - 1;
  if (places !== 1) return { mutation, killedBy: null, problem: `its text stands ${places} times in ${mutation.file}` };
  const folder = copyOf(root);
  try {
    writeFileSync(join(folder, mutation.file), text.replace(mutation.find, () => mutation.replace));
    const { broken } = await runPool({ folder, from, count: seeds, threads: 1, stopAtFirst: true });
    return { mutation, killedBy: broken[0] ?? null, problem: null };
  } catch (error) {
    // A copy that does not even load proves nothing about the simulator.
    return { mutation, killedBy: null, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The pure files of the product and the simulator, in a folder of their own where `#lib/…` leads to the copies. */
function copyOf(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sim-'));
  for (const file of [...filesBelow(root, 'lib'), ...filesBelow(root, 'sim')]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports: { '#lib/*': './lib/*' } }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function* filesBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && path !== 'lib/generated') yield* filesBelow(root, path);
    else if (entry.name.endsWith('.ts') && !/\.(test|tmp)\.ts$/.test(entry.name)) yield path;
  }
}
