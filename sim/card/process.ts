import type { Clocks } from '#lib/movements/claim-rules.ts';
import type { Exchange } from '#lib/providers/outcome.ts';
import { DatabaseFault } from '../database.ts';
import type { Random } from '../random.ts';
import { HOUR, MINUTE } from '../time.ts';
import type { Effect, Lane } from './effect.ts';
import type { Here } from './store.ts';
import type { CardWorld } from './world.ts';

/**
 * One process of ours, worker or web: it runs its lanes, and dies or freezes before and after any
 * of their effects.
 */

const RESTART_MAX_MS = 2 * MINUTE;
const ON_THE_WIRE_MS = 600;
const LATENCY_MAX_MS = 40;
const WALL_JUMP_MAX_MS = 5 * MINUTE;

/** How a lane ended. `died`: it died with its process, and its callers get no response. */
export type LaneEnd =
  | { kind: 'done'; value: unknown }
  | { kind: 'threw'; error: unknown }
  | { kind: 'died' };
/** A lane of one life of the process. After a crash no lane of that life continues. */
type Running = {
  lane: Lane<unknown>;
  life: number;
  end: (how: LaneEnd) => void;
  answered: boolean;
  over: boolean;
};
type Resume = { value: unknown } | { error: Error };

export class CardProcess {
  readonly name: string;
  alive = true;
  private life = 1;
  private frozenUntil = 0;
  private suspendedMs = 0;
  private wallOffset = 0;
  /**
   * Since when the process is set up for another account, and since when it cannot write its
   * checkpoint to disk; null when this is not so.
   */
  readonly since: Record<'otherAccount' | 'folderFails', number | null> = {
    otherAccount: null,
    folderFails: null,
  };
  private readonly running = new Set<Running>();
  private readonly world: CardWorld;
  private readonly random: Random;

  constructor(world: CardWorld, name: string) {
    this.world = world;
    this.name = name;
    this.random = world.random(name);
    this.plan('otherAccount');
    this.plan('folderFails');
    if (world.knobs.faults.wallJump > 0)
      this.wallOffset = this.random.between(-WALL_JUMP_MAX_MS, WALL_JUMP_MAX_MS);
  }

  private plan(name: 'otherAccount' | 'folderFails'): void {
    const { world } = this;
    const random = world.random(`${this.name} ${name}`);
    if (!random.chance(world.knobs.faults[name])) return;
    const from = random.between(0, world.knobs.healsAt);
    world.plans(name, from, () => {
      world.note(this.name, () =>
        name === 'otherAccount' ? 'is set up for another account' : 'cannot write its checkpoints',
      );
      this.since[name] = world.agenda.now;
    });
    world.agenda.at(
      Math.min(from + random.spread(MINUTE, 3 * HOUR), world.knobs.healsAt),
      () => (this.since[name] = null),
    );
  }

  private here(): Here {
    const { otherAccount, folderFails } = this.since;
    return {
      account: otherAccount === null ? 'bound' : 'other',
      knows: !this.world.isUnnoticed,
      isOnDisk: folderFails === null,
    };
  }

  run(lane: Lane<unknown>, end: (how: LaneEnd) => void): void {
    if (!this.alive) return end({ kind: 'died' });
    const running: Running = { lane, life: this.life, end, answered: false, over: false };
    this.running.add(running);
    this.world.agenda.after(this.random.between(0, 50), () =>
      this.resume(running, { value: undefined }),
    );
  }

  readonly clocks = (): Clocks => {
    const { now } = this.world.agenda;
    return { monotonic: now - this.suspendedMs, wall: now + this.wallOffset };
  };

  readonly chance = (): number => this.random.next();

  /** Runs `then` as soon as this life of the process can: at once, after a freeze, or never. */
  private whenAwake(life: number, then: () => void): void {
    if (life !== this.life) return;
    if (this.world.agenda.now < this.frozenUntil)
      this.world.agenda.at(this.frozenUntil, () => this.whenAwake(life, then));
    else then();
  }

  private resume(running: Running, what: Resume): void {
    this.whenAwake(running.life, () => {
      try {
        const step =
          'error' in what ? running.lane.throw(what.error) : running.lane.next(what.value);
        if (step.done) this.over(running, { kind: 'done', value: step.value });
        else this.pass(running, () => this.perform(running, step.value));
      } catch (error) {
        if (error instanceof Error && error.name === 'Violation') throw error;
        this.over(running, { kind: 'threw', error });
      }
    });
  }

  private over(running: Running, how: LaneEnd): void {
    if (running.over) return;
    running.over = true;
    this.running.delete(running);
    running.end(how);
  }

  /** A point between two effects, where the process, its clock or the database may fail. */
  private pass(running: Running, then: () => void): void {
    const { world, random } = this;
    if (running.life !== this.life) return;
    if (world.fault('crash', random)) return this.crash();
    if (world.fault('stall', random)) this.freeze();
    if (!world.database.down && world.fault('databaseFalls', random))
      world.database.fall(random.spread(500, 3 * MINUTE));
    // A wall clock that is set back while the machine is suspended makes both clocks wrong: no
    // world plays that.
    if (!world.knobs.suspends && world.fault('wallJump', random))
      this.wallOffset = random.between(-WALL_JUMP_MAX_MS, WALL_JUMP_MAX_MS);
    this.whenAwake(running.life, then);
  }

  /**
   * The request has been written. From now on a stop of this process falls between the request and
   * its answer.
   */
  private onTheWire(running: Running): void {
    this.world.agenda.after(this.random.between(1, ON_THE_WIRE_MS), () => {
      if (running.life !== this.life || running.answered) return;
      if (this.world.fault('crash', this.random)) this.crash();
      else if (this.world.fault('stall', this.random)) this.freeze();
    });
  }

  private perform(running: Running, effect: Effect): void {
    const { agenda, network } = this.world;
    const done = (what: Resume): void => this.pass(running, () => this.resume(running, what));
    const settle = (exchange: Exchange): void => {
      running.answered = true;
      done({ value: exchange });
    };
    switch (effect.kind) {
      case 'transaction': {
        const result = this.transact(effect);
        agenda.after(this.random.between(1, LATENCY_MAX_MS), () => done(result));
        return;
      }
      case 'journal':
        agenda.after(this.random.between(1, LATENCY_MAX_MS), () =>
          done({ value: this.append(effect) }),
        );
        return;
      case 'rest':
        agenda.after(effect.ms, () => done({ value: undefined }));
        return;
      case 'request': {
        running.answered = false;
        const whenAwake = (then: () => void): void => this.whenAwake(running.life, then);
        network.send(
          effect,
          { name: this.name, whenAwake, written: () => this.onTheWire(running) },
          settle,
        );
        return;
      }
      case 'query':
        network.ask(effect, settle);
    }
  }

  /**
   * Appends an entry to the send journal. A write that is reported as failed may still have stored
   * its entry.
   */
  private append({ reference, attempt }: Extract<Effect, { kind: 'journal' }>): boolean {
    const { world, random } = this;
    const fails = world.fault('journalFails', random);
    if (!fails || random.chance(0.5)) world.journal.push({ reference, attempt });
    if (!fails) world.judge.journaled(reference);
    return !fails;
  }

  private transact(effect: Extract<Effect, { kind: 'transaction' }>): Resume {
    try {
      return {
        value: this.world.database.transaction(
          `${this.name}: ${effect.name}`,
          (tx) => effect.work(tx.as(this.here())),
          effect.token ?? null,
        ),
      };
    } catch (error) {
      if (error instanceof DatabaseFault)
        this.world.note(this.name, () => `${effect.name}: ${error.message}`);
      if (!(error instanceof Error) || error.name === 'Violation') throw error;
      return { error };
    }
  }

  private freeze(): void {
    const { world } = this;
    const ms = this.random.spread(1_000, world.knobs.stallMaxMs);
    this.frozenUntil = Math.max(this.frozenUntil, world.agenda.now + ms);
    if (world.knobs.suspends) this.suspendedMs += ms;
    world.database.lastTroubleAt = Math.max(world.database.lastTroubleAt, this.frozenUntil);
    world.note(
      this.name,
      () =>
        `${world.knobs.suspends ? 'is suspended' : 'is stopped'} for ${Math.round(ms / 1000)} s`,
    );
  }

  /** Kills the process, because the machine is set up again over another database. */
  kill(): void {
    if (this.alive) this.crash();
  }

  private crash(): void {
    const { world } = this;
    world.stats.crashes++;
    world.note(this.name, () => 'is killed');
    this.alive = false;
    this.life++;
    for (const running of [...this.running]) this.over(running, { kind: 'died' });
    world.database.lastTroubleAt = Math.max(world.database.lastTroubleAt, world.agenda.now);
    world.agenda.after(this.random.spread(100, RESTART_MAX_MS), () => {
      this.alive = true;
      this.frozenUntil = 0;
      world.database.lastTroubleAt = Math.max(world.database.lastTroubleAt, world.agenda.now);
      world.note(this.name, () => 'starts');
      world.wake();
    });
  }
}
