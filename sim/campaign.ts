import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addStats, noStats } from './stats.ts';
import type { Broken, Findings, Seeds } from './run.ts';
import type { Stats } from './stats.ts';

/**
 * A long run that may be stopped at any time: each finished share is stored on disk, so that the
 * next start resumes there. Worlds that broke a rule stay in a table until a later run of the same
 * world breaks none.
 */

const ROOT = dirname(import.meta.dirname);

/** A world that broke a rule. `commit`: the code with which the world broke it. */
export type Red = Broken & { commit: string };
/**
 * `code`: the hash of the code that ran; results of other code do not count. `next`: all seeds
 * below it are done. `ahead`: the finished shares above `next`.
 */
type State = {
  code: string;
  from: number;
  count: number;
  drill?: string;
  side?: string;
  next: number;
  ahead: { from: number; count: number }[];
  totals: Stats;
  red: Red[];
};

export class Campaign {
  private readonly file: string;
  private readonly commit: string;
  private state: State;
  /** How many worlds of this run an earlier start has done. */
  readonly resumed: number;

  /**
   * `anew`: runs the worlds again that an earlier start of the same run has done; red worlds stay
   * in the table.
   */
  constructor(
    { from, count, drill, side }: Pick<Seeds, 'from' | 'count' | 'drill' | 'side'>,
    {
      code,
      commit,
      anew,
      folder = folderOf(),
    }: { code: string; commit: string; anew: boolean; folder?: string },
  ) {
    this.file = join(folder, 'state.json');
    this.commit = commit;
    const earlier = readState(this.file);
    const isSame =
      earlier !== null &&
      earlier.code === code &&
      earlier.from === from &&
      earlier.count === count &&
      earlier.drill === drill &&
      earlier.side === side;
    const isLeft = isSame && earlier.next < from + count && !anew;
    const fresh: State = {
      code,
      from,
      count,
      ...(drill === undefined ? {} : { drill }),
      ...(side === undefined ? {} : { side }),
      next: from,
      ahead: [],
      totals: noStats(),
      red: earlier?.red ?? [],
    };
    this.state = isLeft ? earlier : fresh;
    this.resumed = this.state.totals.worlds;
  }

  get totals(): Stats {
    return this.state.totals;
  }

  get red(): readonly Red[] {
    return this.state.red;
  }

  isDone(share: { from: number }): boolean {
    return share.from < this.state.next || this.state.ahead.some((one) => one.from === share.from);
  }

  /** A failed world was run again: its row is updated, or removed when it passes. */
  tried(seed: number, broken: Broken | null): void {
    const red = this.state.red.filter((one) => one.seed !== seed);
    this.state.red = broken === null ? red : [...red, { ...broken, commit: this.commit }];
    this.save();
  }

  done(share: { from: number; count: number }, { totals, broken }: Findings): void {
    addStats(this.state.totals, totals);
    const seeds = new Set(broken.map(({ seed }) => seed));
    this.state.red = [
      ...this.state.red.filter(({ seed }) => !seeds.has(seed)),
      ...broken.map((one) => ({ ...one, commit: this.commit })),
    ];
    this.state.ahead.push({ from: share.from, count: share.count });
    for (let next = this.follower(); next !== undefined; next = this.follower()) {
      this.state.next += next.count;
      this.state.ahead.splice(this.state.ahead.indexOf(next), 1);
    }
    this.save();
  }

  private follower(): { from: number; count: number } | undefined {
    return this.state.ahead.find(({ from }) => from === this.state.next);
  }

  /**
   * Writes the state as a whole or not at all: when the run is stopped meanwhile, the file keeps
   * the previous state.
   */
  private save(): void {
    mkdirSync(dirname(this.file), { recursive: true });
    const beside = `${this.file}.${process.pid}`;
    writeFileSync(beside, JSON.stringify(this.state));
    renameSync(beside, this.file);
  }
}

function folderOf(): string {
  return join(process.env['DATA_DIR'] ?? join(ROOT, '.data'), 'sim');
}

function readState(file: string): State | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as State;
  } catch {
    return null;
  }
}
