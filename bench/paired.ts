/**
 * Measures this working tree beside an earlier commit, in turns on one machine: the earlier product
 * with the benchmark of this one.
 */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../scripts/command.ts';
import { ROOT } from '../scripts/processes.ts';
import { Refused } from '../scripts/refused.ts';
import { inThrowawayFolder } from '../scripts/throwaway.ts';
import { median, rounded, type Figure } from './figures.ts';

/** The values of a figure in both products, pair by pair; NaN where one could not be measured. */
export type Pair = { what: string; pairs: { ours: number; theirs: number }[] };

type Options = { against: string; pairs: number; only: readonly string[]; signal: AbortSignal };

/** Runs the parts `only` of both products `pairs` times; returns the table of their ratios. */
export async function measurePaired({ against, pairs, only, signal }: Options): Promise<string> {
  return inThrowawayFolder(async (folder) => {
    const theirs = join(folder, 'product');
    await checkOut(against, theirs, signal);
    const measure = async (root: string): Promise<Figure[]> => {
      const out = join(folder, 'figures.json');
      rmSync(out, { force: true });
      const args = ['scripts/bench.mjs', '--only', only.join(','), '--json', out];
      const done = await run(process.execPath, args, { cwd: root, signal });
      if (done.code !== 0) throw new Refused(`The benchmark failed in ${root}:\n${done.output}`);
      return JSON.parse(readFileSync(out, 'utf8')) as Figure[];
    };
    const rounds: { ours: Figure[]; theirs: Figure[] }[] = [];
    for (let n = 1; n <= pairs; n++) {
      console.log(`· pair ${n} of ${pairs}`);
      // Each goes first in every second pair: what warms up the machine favours neither.
      const first = await measure(n % 2 === 1 ? ROOT : theirs);
      const second = await measure(n % 2 === 1 ? theirs : ROOT);
      rounds.push(n % 2 === 1 ? { ours: first, theirs: second } : { ours: second, theirs: first });
    }
    return pairedTable(against, pairsOf(rounds));
  });
}

/** Writes the files of a commit into `folder`, with the benchmark of this one, and installs it. */
async function checkOut(commit: string, folder: string, signal: AbortSignal): Promise<void> {
  mkdirSync(folder);
  const archive = join(folder, '..', 'product.tar');
  for (const [command, ...args] of [
    ['git', 'archive', '--output', archive, commit],
    ['tar', '-x', '-f', archive, '-C', folder],
  ] as [string, ...string[]][]) {
    const done = await run(command, args, { signal });
    if (done.code !== 0) throw new Refused(`${commit} cannot be checked out:\n${done.output}`);
  }
  rmSync(join(folder, 'bench'), { recursive: true });
  cpSync(join(ROOT, 'bench'), join(folder, 'bench'), { recursive: true });
}

export function pairsOf(rounds: readonly { ours: Figure[]; theirs: Figure[] }[]): Pair[] {
  const names = rounds[0]?.ours.map(({ what }) => what) ?? [];
  const valueOf = (figures: readonly Figure[], what: string): number =>
    figures.find((one) => one.what === what)?.value ?? Number.NaN;
  return names.map((what) => ({
    what,
    pairs: rounds.map(({ ours, theirs }) => ({
      ours: valueOf(ours, what),
      theirs: valueOf(theirs, what),
    })),
  }));
}

/** Medians of both, the median of the ratios of the pairs, and each of these. */
export function pairedTable(against: string, measured: readonly Pair[]): string {
  const number = (value: number): string => (Number.isFinite(value) ? rounded(value) : '–');
  return [
    `| What | this | ${against} | this / ${against} | each pair |`,
    '| --- | --- | --- | --- | --- |',
    ...measured.map(({ what, pairs }) => {
      const ratios = pairs.map(({ ours, theirs }) => ours / theirs);
      const cells = [
        what,
        number(median(pairs.map(({ ours }) => ours))),
        number(median(pairs.map(({ theirs }) => theirs))),
        number(median(ratios)),
        ratios.map(number).join(', '),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}
