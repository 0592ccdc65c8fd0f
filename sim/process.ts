import type { Clocks } from '#lib/movements/claim-rules.ts';
import { bodyOf, newerBodyOf } from './claim.ts';
import type { Rules } from './claim.ts';
import { DatabaseFault } from './database.ts';
import { HOUR, MINUTE } from './knobs.ts';
import type { Random } from './random.ts';
import { runLane } from './worker.ts';
import type { Effect, Lane } from './worker.ts';
import type { World } from './world.ts';

/** One worker process: drives its lanes, and crashes or freezes before and after any of their effects. */

const RESTART_MAX_MS = 2 * MINUTE;
const STALL_MAX_MS = HOUR;
const LATENCY_MAX_MS = 40;
const WALL_JUMP_MAX_MS = 5 * MINUTE;

/** A lane of one life of the process: after a crash nothing of it goes on. */
type Running = { lane: Lane; life: number };
type Resume = { value: unknown } | { error: Error };

export class WorkerProcess {
  readonly name: string;
  alive = true;
  private life = 1;
  private frozenUntil = 0;
  private suspendedMs = 0;
  private wallOffset = 0;
  private running = 0;
  private upgraded = false;
  private readonly world: World;
  private readonly random: Random;
  private readonly rules: Rules;

  constructor(world: World, index: number) {
    this.world = world;
    this.name = `worker ${index + 1}`;
    this.random = world.random(this.name);
    this.rules = { policy: world.policy, random: () => this.random.next(), newToken: () => world.newToken(), bodyOf: (row) => (this.upgraded ? newerBodyOf(row) : bodyOf(row)) };
    this.wallOffset = world.knobs.faults.wallJump > 0 ? this.random.between(-WALL_JUMP_MAX_MS, WALL_JUMP_MAX_MS) : 0;
  }

  /** Something is due, or the poll came round: every idle lane looks, each after a moment of its own. */
  wake(): void {
    if (!this.alive) return;
    while (this.running < this.world.knobs.lanes) {
      this.running++;
      const running: Running = { lane: runLane(this.rules, () => this.clocks()), life: this.life };
      this.world.agenda.after(this.random.between(0, 50), () => this.resume(running, { value: undefined }));
    }
  }

  get busy(): boolean {
    return !this.alive || this.running > 0;
  }

  /** Runs `then` as soon as this life of the process can: at once, after a freeze, or never. */
  whenAwake(life: number, then: () => void): void {
    if (life !== this.life) return;
    if (this.world.agenda.now < this.frozenUntil) this.world.agenda.at(this.frozenUntil, () => this.whenAwake(life, then));
    else then();
  }

  freeze(ms: number): void {
    const { world } = this;
    this.frozenUntil = Math.max(this.frozenUntil, world.agenda.now + ms);
    if (world.knobs.suspends) this.suspendedMs += ms;
    world.database.lastTroubleAt = Math.max(world.database.lastTroubleAt, this.frozenUntil);
    world.note(this.name, () => `${world.knobs.suspends ? 'is suspended' : 'is stopped'} for ${Math.round(ms / 1000)} s`);
  }

  private clocks(): Clocks {
    const { now } = this.world.agenda;
    return { monotonic: now - this.suspendedMs, wall: now + this.wallOffset };
  }

  private resume(running: Running, what: Resume): void {
    this.whenAwake(running.life, () => {
      const step = 'error' in what ? running.lane.throw(what.error) : running.lane.next(what.value);
      if (step.done) {
        this.running--;
        this.world.wake();
      } else this.pass(running, () => this.perform(running, step.value));
    });
  }

  /** A place between two effects, where everything may stop. */
  private pass(running: Running, then: () => void): void {
    const { world, random } = this;
    if (world.fault('crash', random)) return this.crash();
    if (world.fault('stall', random)) this.freeze(random.spread(1_000, STALL_MAX_MS));
    // A wall clock that is set back while the machine is suspended deceives both clocks: no world is that bad.
    if (!world.knobs.suspends && world.fault('wallJump', random)) this.wallOffset = random.between(-WALL_JUMP_MAX_MS, WALL_JUMP_MAX_MS);
    this.whenAwake(running.life, then);
  }

  private perform(running: Running, effect: Effect): void {
    const { agenda, network } = this.world;
    const done = (what: Resume): void => this.pass(running, () => this.resume(running, what));
    switch (effect.kind) {
      case 'transaction': {
        const result = this.transact(effect);
        agenda.after(this.random.between(1, LATENCY_MAX_MS), () => done(result));
        return;
      }
      case 'sleep':
        agenda.after(effect.ms, () => done({ value: undefined }));
        return;
      case 'send':
        network.send(effect, { name: this.name, whenAwake: (then) => this.whenAwake(running.life, then) }, (exchange) => done({ value: exchange }));
        return;
      case 'read':
      case 'summary':
        network.ask(effect, (exchange) => done({ value: exchange }));
    }
  }

  private transact(effect: Extract<Effect, { kind: 'transaction' }>): Resume {
    try {
      return { value: this.world.database.transaction(`${this.name}: ${effect.name}`, effect.work, effect.token ?? null) };
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      this.world.note(this.name, () => `${effect.name}: ${error.message}`);
      return { error };
    }
  }

  /** Stopped in the middle of whatever it does, and started as a later version. */
  upgrade(): void {
    this.world.note(this.name, () => 'becomes a later version');
    this.upgraded = true;
    if (this.alive) this.crash();
  }

  private crash(): void {
    const { world } = this;
    world.stats.crashes++;
    world.note(this.name, () => 'is killed');
    this.alive = false;
    this.life++;
    this.running = 0;
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
