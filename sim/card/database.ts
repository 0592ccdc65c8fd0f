import { DatabaseFault, EPOCH } from '../database.ts';
import { Refused } from '../guard.ts';
import type { Random } from '../random.ts';
import { DAY, MINUTE } from '../time.ts';
import { Violation } from '../violation.ts';
import { CardTx, copyOf, emptyCardTables } from './store.ts';
import type { CardTables } from './store.ts';
import type { CardWorld } from './world.ts';

/**
 * The database of a card world: it is unreachable at times, its clock jumps, and it may be restored
 * from an older copy once.
 */

const AWAY = new DatabaseFault('the database is away');
const BROKE = new DatabaseFault('the connection broke before the commit');
const UNCONFIRMED = new DatabaseFault('the commit was done, its confirmation was lost');

const JUMP_MAX_MS = 2.5 * MINUTE;
const DOWN_MAX_MS = 20 * MINUTE;

export class CardDatabase {
  tables: CardTables = emptyCardTables();
  down = false;
  /**
   * When the database was last unreachable or its clock last jumped: a promise with a time limit
   * holds for quiet times only.
   */
  lastTroubleAt = -DAY;
  private offset = 0;
  private readonly world: CardWorld;
  private readonly random: Random;

  constructor(world: CardWorld) {
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

  /** A transaction for reading only. */
  reader(): CardTx {
    return new CardTx('reader', null, this.clock(), this.tables);
  }

  /**
   * Commits all of `work` or nothing. Throws what `work` throws, or DatabaseFault: then the
   * commit's outcome is unknown.
   */
  transaction<T>(name: string, work: (tx: CardTx) => T, token: string | null = null): T {
    const { world, random } = this;
    if (this.down) throw AWAY;
    const tx = new CardTx(name, token, this.clock(), this.tables);
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
    const changes = tx.changes();
    world.judge.committed(changes);
    world.approvals.committed(changes);
    world.charges.committed(name, tx.charged);
    world.wake();
    if (world.fault('lostCommit', random)) throw UNCONFIRMED;
    return result;
  }

  /** Plans outages, jumps of the clock and a restore, until the world heals. */
  plan(): void {
    const { knobs } = this.world;
    const often = (name: 'databaseDown' | 'clockJump', run: () => void): void => {
      if (knobs.faults[name] === 0) return;
      for (let n = this.random.between(1, 3); n > 0; n--)
        this.world.plans(name, this.random.between(0, knobs.healsAt), run);
    };
    often('databaseDown', () => this.fall(this.random.spread(500, DOWN_MAX_MS)));
    often('clockJump', () => this.jump(this.random.between(-JUMP_MAX_MS, JUMP_MAX_MS)));
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

  backUp(): CardTables {
    return copyOf(this.tables);
  }

  /** Sets the rows back to a backup. The gateway keeps its state. */
  restore(backup: CardTables): void {
    this.tables = copyOf(backup);
    this.lastTroubleAt = this.world.agenda.now;
  }

  private jump(to: number): void {
    this.world.note(
      'database',
      () => `its clock jumps by ${Math.round((to - this.offset) / 1000)} s`,
    );
    this.offset = to;
    this.lastTroubleAt = this.world.agenda.now;
    this.world.wake();
  }
}
