import type { Clocks } from '#lib/movements/claim-rules.ts';
import { LEASE_MS } from '#lib/begin-check/start-limit.ts';
import { bodyOf, newerBodyOf } from './claim.ts';
import type { Claim, Rules } from './claim.ts';
import { DatabaseFault } from './database.ts';
import type { Place } from './knobs.ts';
import type { Random } from './random.ts';
import type { Row } from './store.ts';
import { HOUR, MINUTE } from './time.ts';
import { runLane } from './worker.ts';
import type { Effect, Lane } from './worker.ts';
import type { World } from './world.ts';

/**
 * One worker process: it runs its lanes, and crashes or freezes before and after any of their
 * effects.
 */

const RESTART_MAX_MS = 2 * MINUTE;
const STALL_MAX_MS = HOUR;
const ON_THE_WIRE_MS = 600;
const LATENCY_MAX_MS = 40;
const WALL_JUMP_MAX_MS = 5 * MINUTE;

/** A lane of one life of the process. After a crash no lane of that life continues. */
type Running = {
  lane: Lane;
  life: number;
  /** The row that the lane claimed for a send and has not recorded yet. */
  sending: Row | null;
  /** The row whose record the lane queries, or queried and has not recorded yet. */
  looking: Row | null;
  answered: boolean;
};
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
    this.rules = {
      policy: world.policy,
      random: () => this.random.next(),
      newToken: () => world.newToken(),
      bodyOf: (row) => (this.upgraded ? newerBodyOf(row) : bodyOf(row)),
      journal: (row) => world.restore.writeLine(row),
    };
    this.wallOffset =
      world.knobs.faults.wallJump > 0
        ? this.random.between(-WALL_JUMP_MAX_MS, WALL_JUMP_MAX_MS)
        : 0;
  }

  /**
   * Called when a row is due or the poll came round: every idle lane checks, each after a delay of
   * its own.
   */
  wake(): void {
    if (!this.alive) return;
    while (this.running < this.world.knobs.lanes) {
      this.running++;
      const running: Running = {
        lane: runLane(this.rules, () => this.clocks()),
        life: this.life,
        sending: null,
        looking: null,
        answered: false,
      };
      this.world.agenda.after(this.random.between(0, 50), () =>
        this.resume(running, { value: undefined }),
      );
    }
  }

  get busy(): boolean {
    return !this.alive || this.running > 0;
  }

  /** Runs `then` as soon as this life of the process can: at once, after a freeze, or never. */
  whenAwake(life: number, then: () => void): void {
    if (life !== this.life) return;
    if (this.world.agenda.now < this.frozenUntil)
      this.world.agenda.at(this.frozenUntil, () => this.whenAwake(life, then));
    else then();
  }

  private freezeAt({ sending, looking }: Running): void {
    const { world } = this;
    const ms = this.random.spread(1_000, STALL_MAX_MS);
    if (sending !== null && ms > LEASE_MS)
      world.lives.meets(sending.extId, 'frozen over its lease');
    if (looking !== null && ms > LEASE_MS) world.lives.meets(looking.extId, 'frozen over a look');
    this.frozenUntil = Math.max(this.frozenUntil, world.agenda.now + ms);
    if (world.knobs.suspends) this.suspendedMs += ms;
    world.database.lastTroubleAt = Math.max(world.database.lastTroubleAt, this.frozenUntil);
    world.note(
      this.name,
      () =>
        `${world.knobs.suspends ? 'is suspended' : 'is stopped'} for ${Math.round(ms / 1000)} s`,
    );
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
      } else
        this.pass(running, `before ${nameOf(step.value)}`, () => this.perform(running, step.value));
    });
  }

  /** A point between two effects, where the process, its clock or the database may fail. */
  private pass(running: Running, place: Place, then: () => void): void {
    const { world, random } = this;
    if (running.life !== this.life) return;
    if (this.strikes('crash', place)) return this.killAt(running, place);
    if (this.strikes('stall', place)) this.freezeAt(running);
    if (this.strikes('databaseFalls', place))
      world.database.fall(random.spread(500, world.knobs.fallMaxMs));
    // A wall clock that is set back while the machine is suspended makes both clocks wrong: no
    // world plays that.
    if (!world.knobs.suspends && world.fault('wallJump', random)) {
      this.wallOffset = random.between(-WALL_JUMP_MAX_MS, WALL_JUMP_MAX_MS);
      if (running.sending !== null) world.lives.meets(running.sending.extId, 'wall clock jumped');
    }
    this.whenAwake(running.life, then);
  }

  private strikes(fault: 'crash' | 'stall' | 'databaseFalls', place: Place): boolean {
    const { places } = this.world.knobs;
    const isUp = fault !== 'databaseFalls' || !this.world.database.down;
    return (
      isUp && (places === null || places.includes(place)) && this.world.fault(fault, this.random)
    );
  }

  /**
   * The request has been written. From now on a stop of this process falls between the request and
   * its answer.
   */
  private onTheWire(running: Running): void {
    const { agenda } = this.world;
    agenda.after(this.random.between(1, ON_THE_WIRE_MS), () => {
      if (running.life !== this.life || running.answered) return;
      if (this.strikes('crash', 'on the wire')) this.killAt(running, 'on the wire');
      else if (this.strikes('stall', 'on the wire')) this.freezeAt(running);
    });
  }

  private perform(running: Running, effect: Effect): void {
    const { agenda, network } = this.world;
    const done = (what: Resume): void =>
      this.pass(running, `after ${nameOf(effect)}`, () => this.resume(running, what));
    switch (effect.kind) {
      case 'transaction': {
        const result = this.transact(running, effect);
        agenda.after(this.random.between(1, LATENCY_MAX_MS), () => done(result));
        return;
      }
      case 'sleep':
        agenda.after(effect.ms, () => done({ value: undefined }));
        return;
      case 'send':
        network.send(
          effect,
          {
            name: this.name,
            whenAwake: (then) => this.whenAwake(running.life, then),
            written: () => this.onTheWire(running),
          },
          (exchange) => {
            running.answered = true;
            done({ value: exchange });
          },
        );
        return;
      case 'read':
      case 'summary':
        network.ask(effect, (exchange) => done({ value: exchange }));
    }
  }

  private transact(running: Running, effect: Extract<Effect, { kind: 'transaction' }>): Resume {
    const { database, lives } = this.world;
    try {
      const value = database.transaction(
        `${this.name}: ${effect.name}`,
        effect.work,
        effect.token ?? null,
      );
      // The begin check lies between the claim and the request: the claimed row stays the same.
      if (effect.name === 'begin') return { value };
      const claim = effect.name === 'claim' ? (value as Claim) : null;
      running.sending = claim?.kind === 'send' ? claim.row : null;
      running.looking = claim?.kind === 'read' || claim?.kind === 'ledger' ? claim.row : null;
      running.answered = false;
      return { value };
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      if (database.down && running.sending !== null)
        lives.meets(running.sending.extId, 'database away at recording');
      else if (database.down)
        for (const row of this.dueToLeave()) lives.meets(row.extId, 'database away at its claim');
      this.world.note(this.name, () => `${effect.name}: ${error.message}`);
      return { error };
    }
  }

  /** Stops the process at any point of its work and starts it as a later version. */
  upgrade(): void {
    this.world.note(this.name, () => 'becomes a later version');
    this.upgraded = true;
    if (this.alive) this.crash();
  }

  /** Kills the process, because its machine stops. */
  kill(): void {
    if (this.alive) this.crash();
  }

  private killAt({ sending }: Running, place: Place): void {
    const { lives } = this.world;
    if (place === 'before claim')
      for (const row of this.dueToLeave()) lives.meets(row.extId, 'killed before its claim');
    if (
      sending !== null &&
      (place === 'after claim' || place === 'after begin' || place === 'before send')
    )
      lives.meets(sending.extId, 'killed before connecting');
    if (sending !== null && place === 'on the wire')
      lives.meets(sending.extId, 'killed on the wire');
    if (sending !== null && (place === 'after send' || place === 'before record'))
      lives.meets(sending.extId, 'killed before recording');
    this.crash();
  }

  /** The rows that the next claim could send. */
  private dueToLeave(): Row[] {
    const { database } = this.world;
    return [...database.rows()].filter(
      (row) => row.state === 'APPROVED' && row.nextAt !== null && row.nextAt <= database.clock(),
    );
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

function nameOf(effect: Effect): 'claim' | 'begin' | 'send' | 'look' | 'record' | 'rest' {
  switch (effect.kind) {
    case 'transaction':
      return effect.name === 'claim' || effect.name === 'begin' ? effect.name : 'record';
    case 'send':
      return 'send';
    case 'read':
    case 'summary':
      return 'look';
    case 'sleep':
      return 'rest';
  }
}
