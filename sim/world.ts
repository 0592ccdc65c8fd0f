import type { Policy } from '#lib/movements/schedule.ts';
import { Agenda } from './agenda.ts';
import { BatchMaker } from './batch-maker.ts';
import { Database } from './database.ts';
import { deadEnd } from './dead-end.ts';
import type { Drill } from './drill.ts';
import { Directory } from './directory.ts';
import { drillOf, unmet } from './drills.ts';
import { settled, unsettled } from './end.ts';
import { drawKnobs } from './knobs.ts';
import type { Choice, FaultName, Knobs } from './knobs.ts';
import { Lives } from './lives.ts';
import { Network } from './network.ts';
import { planForgeries } from './notices.ts';
import { Buyer } from './people.ts';
import type { Scene } from './scene.ts';
import { planElsewhere, planGovernance, planSwitch, sceneOf } from './surroundings.ts';
import { WorkerProcess } from './process.ts';
import { Provider } from './provider.ts';
import { Random } from './random.ts';
import { Restore } from './restore.ts';
import { noStats } from './stats.ts';
import type { Stats } from './stats.ts';
import { DAY, MINUTE } from './time.ts';
import { Violation } from './violation.ts';
import type { Rule } from './violation.ts';
import { Watch } from './watch.ts';
import type { WireStyle } from './wire.ts';

/** One world: a seed's knobs, all of its people, processes and providers, and the result. */

const POLICY = { quietMs: 30 * MINUTE, manualAfterMs: 30 * MINUTE };
/** Eight days after the last fault every intent must have an end or an alert. */
const PATIENCE_MS = 8 * DAY;
const EVENTS_MAX = 600_000;
const CHECK_EVERY_MS = 5 * MINUTE;
const POLL_MS = 2_000;

export type Result = { stats: Stats; broken: { rule: Rule; what: string } | null; trace: string[] };

export class World {
  readonly knobs: Knobs;
  readonly policy: Policy;
  readonly wire: WireStyle;
  readonly agenda = new Agenda();
  readonly stats = noStats();
  readonly lives = new Lives(this.stats.met);
  readonly acknowledged = new Set<string>();
  readonly database: Database;
  readonly watch: Watch;
  readonly provider: Provider;
  readonly network: Network;
  readonly workers: WorkerProcess[];
  readonly restore: Restore;
  readonly buyers: readonly Buyer[];
  readonly batchMaker: BatchMaker;
  /** Whom the numbers of persons lead to. */
  readonly directory: Directory;
  /** Whether the web stores every press of an approver that the database takes. */
  readonly unguarded: boolean;
  /** What approvers and their judge see of it. */
  readonly scene: Scene = sceneOf(this);
  healed = false;
  /** How many events the provider's side still has to cause: bank decisions, postings, webhooks. */
  pending = 0;
  readonly trace: string[] = [];
  private readonly traced: boolean;
  private readonly drill: Drill | null;
  private readonly chance: Random;
  private wakeAt = Infinity;
  private made = 0;

  constructor(choice: Choice, traced: boolean) {
    this.knobs = drawKnobs(choice);
    this.drill = choice.drill === undefined ? null : drillOf(choice.drill);
    this.traced = traced;
    this.policy = { ...POLICY, autoResend: this.knobs.autoResend };
    this.wire = this.knobs.questions;
    this.chance = this.random('moments');
    this.directory = new Directory(() => this.agenda.now);
    this.database = new Database(this);
    this.watch = new Watch(this);
    this.provider = new Provider(this);
    this.network = new Network(this);
    this.restore = new Restore(this);
    this.unguarded = planGovernance(this, this.knobs.governance);
    this.workers = Array.from(
      { length: this.knobs.workers },
      (_, index) => new WorkerProcess(this, index),
    );
    this.database.plan();
    this.network.plan();
    planForgeries(this);
    planElsewhere(this);
    this.planUpgrade();
    planSwitch(this);
    this.restore.plan();
    this.batchMaker = new BatchMaker(this);
    this.batchMaker.plan();
    this.buyers = this.knobs.needs.map((need) => new Buyer(this, need));
    this.agenda.at(this.knobs.healsAt, () => this.heal());
  }

  random(stream: string): Random {
    return new Random(this.knobs.seed, stream);
  }

  fault(name: FaultName, random: Random): boolean {
    const happens = !this.healed && random.chance(this.knobs.faults[name]);
    if (happens) this.stats.drawn[name]++;
    return happens;
  }

  /** Plans a fault when the world begins; it is counted when it happens. */
  plans(name: FaultName, at: number, run: () => void): void {
    this.agenda.at(Math.min(at, this.knobs.healsAt), () => {
      this.stats.drawn[name]++;
      run();
    });
  }

  /** Plans something that the provider's side does later. The world does not end before it. */
  later(ms: number, run: () => void): void {
    this.pending++;
    this.agenda.after(ms, () => {
      this.pending--;
      run();
    });
  }

  newToken(): string {
    return `lease-${++this.made}`;
  }

  newIntent(): { id: string; extId: string } {
    this.stats.intents++;
    const n = String(this.stats.intents);
    return { id: `intent-${n}`, extId: `INTENT${n.padStart(14, '0')}` };
  }

  /**
   * Adds a line to the trace, in the order of events. `what` makes the text only when the world is
   * traced.
   */
  note(who: string, what: () => string): void {
    if (!this.traced) return;
    const line = `${who.padEnd(10)}  ${what()}`;
    // A client that repeats the same is noted once.
    if (this.trace.at(-1)?.endsWith(line) !== true)
      this.trace.push(`${clockText(this.agenda.now)}  ${line}`);
  }

  /** Wakes the workers when a row is due: they are notified, or they poll. */
  wake(): void {
    let first = Infinity;
    for (const row of this.database.rows())
      if (row.nextAt !== null) first = Math.min(first, Math.max(row.nextAt, row.leaseUntil ?? 0));
    if (first === Infinity) return;
    const at =
      Math.max(this.agenda.now, this.database.whenClockShows(first)) +
      (this.chance.chance(0.7) ? this.chance.between(1, 100) : this.chance.between(1, POLL_MS));
    if (this.wakeAt <= at) return;
    this.wakeAt = at;
    this.agenda.at(at, () => {
      if (this.wakeAt !== at) return;
      this.wakeAt = Infinity;
      for (const worker of this.workers) worker.wake();
    });
  }

  private planUpgrade(): void {
    if (this.knobs.faults.upgrade === 0) return;
    const random = this.random('upgrade');
    const at = random.between(0, this.knobs.healsAt);
    for (const worker of this.workers)
      this.plans('upgrade', at + random.spread(1, 10 * MINUTE), () => worker.upgrade());
  }

  private heal(): void {
    this.healed = true;
    this.note('world', () => 'from here on nothing breaks');
    this.wake();
  }

  run(): Result {
    let broken: Result['broken'] = null;
    try {
      this.live();
    } catch (error) {
      if (!(error instanceof Violation)) {
        const what = error instanceof Error ? error : new Error(String(error));
        broken = { rule: 'W', what: `${what.name}: ${what.message}\n${what.stack ?? ''}` };
      } else broken = { rule: error.rule, what: error.message };
      this.note('BROKEN', () => `${broken!.rule}: ${broken!.what}`);
    }
    this.stats.worlds = 1;
    this.stats.events = this.agenda.done;
    for (const row of this.database.rows()) if (row.alert !== null) this.stats.flagged++;
    return { stats: this.stats, broken, trace: this.trace };
  }

  private judgeDeadEnds(): void {
    const end = deadEnd(this);
    if (end !== null) throw new Violation('X', end);
  }

  private live(): void {
    const end = this.knobs.healsAt + PATIENCE_MS;
    let nextCheck = this.knobs.healsAt;
    while (this.agenda.step()) {
      if (this.agenda.done > EVENTS_MAX)
        throw new Violation('I8', 'this world never comes to rest');
      if (this.agenda.now < nextCheck) continue;
      this.watch.pageClaims.all();
      this.judgeDeadEnds();
      if (settled(this)) break;
      if (this.agenda.now > end && this.pending === 0) break;
      nextCheck = this.agenda.now + CHECK_EVERY_MS;
    }
    this.watch.pageClaims.all();
    this.judgeDeadEnds();
    const left = unsettled(this);
    if (left !== null) throw new Violation(left.rule, left.what);
    const other =
      this.drill === null ? null : unmet(this.drill, this.lives.all(), [...this.database.rows()]);
    if (other !== null) throw new Violation('D', other);
  }
}

function clockText(ms: number): string {
  const at = new Date(ms);
  return `${String(Math.floor(ms / DAY))}d ${at.toISOString().slice(11, 23)}`;
}
