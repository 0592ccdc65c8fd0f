import { Refused } from './guard.ts';
import type { Random } from './random.ts';
import { NO_RECOVERY } from './recovery-table.ts';
import { copyTables, emptyTables, Tx } from './store.ts';
import type { Row, Tables } from './store.ts';
import { DAY, MINUTE } from './time.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/**
 * The error that a process receives when the database is unreachable, or when the confirmation of
 * its commit is lost.
 */
export class DatabaseFault extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'DatabaseFault';
  }
}

/**
 * These errors are made once: they occur by the thousand, and their stack traces are not needed.
 */
const AWAY = new DatabaseFault('the database is away');
const BROKE = new DatabaseFault('the connection broke before the commit');
const UNCONFIRMED = new DatabaseFault('the commit was done, its confirmation was lost');

/** The virtual clock begins at this time, so that its dates look like real ones. */
export const EPOCH = Date.UTC(2026, 10, 21, 9);
/** The clock is never further off than this, so that it never jumps by more than five minutes. */
const JUMP_MAX_MS = 2.5 * MINUTE;
const DOWN_MAX_MS = 20 * MINUTE;

export class Database {
  tables: Tables = emptyTables();
  down = false;
  /**
   * When the database was last unreachable or its clock last jumped: a promise with a time limit
   * holds for quiet times only.
   */
  lastTroubleAt = -DAY;
  private offset = 0;
  private readonly world: World;
  private readonly random: Random;

  constructor(world: World) {
    this.world = world;
    this.random = world.random('database');
  }

  clock(): number {
    return EPOCH + this.world.agenda.now + this.offset;
  }

  /** Converts a time of the database's clock into the time of the world. */
  whenClockShows(time: number): number {
    return time - EPOCH - this.offset;
  }

  /**
   * Commits all of `work` or nothing. Throws what `work` throws, or DatabaseFault: then the
   * commit's outcome is unknown.
   */
  transaction<T>(name: string, work: (tx: Tx) => T, token: string | null = null): T {
    const { world, random } = this;
    if (this.down) throw AWAY;
    const tx = new Tx(name, token, this.clock(), this.tables);
    let result: T;
    try {
      result = work(tx);
    } catch (error) {
      tx.rollback();
      if (error instanceof Refused)
        throw new Violation(error.rule, `the database had to refuse "${name}": ${error.message}`);
      throw error;
    }
    if (world.fault('rollback', random)) {
      tx.rollback();
      throw BROKE;
    }
    world.watch.committed(tx.changes());
    world.wake();
    if (world.fault('lostCommit', random)) {
      for (const row of tx.touchedRows()) world.lives.meets(row.extId, 'commit unconfirmed');
      throw UNCONFIRMED;
    }
    return result;
  }

  rows(): IterableIterator<Row> {
    return this.tables.rows.values();
  }

  /** Plans outages and jumps of the clock, until the world heals. */
  plan(): void {
    const { knobs } = this.world;
    if (knobs.faults.databaseDown > 0) {
      for (let n = this.random.between(1, 3); n > 0; n--)
        this.world.plans('databaseDown', this.random.between(0, knobs.healsAt), () =>
          this.fall(this.random.spread(500, DOWN_MAX_MS)),
        );
    }
    if (knobs.faults.clockJump > 0) {
      for (let n = this.random.between(1, 3); n > 0; n--)
        this.world.plans('clockJump', this.random.between(0, knobs.healsAt), () =>
          this.jump(this.random.between(-JUMP_MAX_MS, JUMP_MAX_MS)),
        );
    }
  }

  fall(ms: number): void {
    const { world } = this;
    if (this.down) return;
    world.note('database', () => `is away for ${Math.round(ms / 1000)} s`);
    this.down = true;
    this.lastTroubleAt = world.agenda.now;
    world.agenda.at(Math.min(world.agenda.now + ms, world.knobs.healsAt), () => {
      this.down = false;
      this.lastTroubleAt = world.agenda.now;
      world.note('database', () => 'is back');
      world.wake();
    });
  }

  backUp(): Tables {
    return copyTables(this.tables);
  }

  /**
   * Sets the rows back to a backup. The provider and our own send journal keep their state, and
   * people set the kill switch as it stood.
   */
  restore(backup: Tables): void {
    this.tables = {
      ...copyTables(backup),
      switchedOff: this.tables.switchedOff,
      recovery: { ...NO_RECOVERY, phase: 'unseen' },
    };
    this.lastTroubleAt = this.world.agenda.now;
  }

  private jump(to: number): void {
    this.world.note(
      'database',
      () => `its clock jumps by ${Math.round((to - this.offset) / 1000)} s`,
    );
    this.offset = to;
    for (const row of this.rows())
      if (row.sends > 0 && row.endedAt === null)
        this.world.lives.meets(row.extId, 'database clock jumped');
    this.lastTroubleAt = this.world.agenda.now;
    this.world.wake();
  }
}
