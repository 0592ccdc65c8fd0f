import { Agenda } from '../agenda.ts';
import { Approvals } from '../approvals.ts';
import type { Rules } from '../claim.ts';
import { EPOCH } from '../database.ts';
import type { Choice } from '../knobs.ts';
import { Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { noStats } from '../stats.ts';
import { planGovernance } from '../surroundings.ts';
import { DAY, MINUTE } from '../time.ts';
import { Violation } from '../violation.ts';
import type { Result } from '../world.ts';
import { cardSceneOf } from './approvals.ts';
import { ChargeClerk, ChargeClosers } from './charge-clerk.ts';
import { ChargeJudge } from './charge-judge.ts';
import { UNREAD_PLAN } from './charge-store.ts';
import { Clerk } from './clerk.ts';
import { Closers } from './closers.ts';
import { CardDatabase } from './database.ts';
import { settled, unsettled } from './end.ts';
import { Gateway } from './gateway.ts';
import { Judge } from './judge.ts';
import { drawCardKnobs } from './knobs.ts';
import type { CardFaultName, CardKnobs } from './knobs.ts';
import { Network } from './network.ts';
import { contentOf, workOnOperations } from './operations.ts';
import { isDue, workOnPlanCharges } from './plan-charges.ts';
import { workOnPlans } from './plan-register.ts';
import { CardProcess } from './process.ts';
import { planRestore } from './recovery.ts';
import { UNREAD, workOnRegister } from './register.ts';
import { Notices, planPanel, planSwitch } from './surroundings.ts';
import type { WireStyle } from './wire.ts';

/** One card world: a seed's knobs, all of its people, processes and providers, and the result. */

/** Eight days after the last fault every operation must have an end. */
const PATIENCE_MS = 8 * DAY;
/**
 * Enough events for worlds in which hasty people and stalled processes keep on for more than three
 * days before everything heals.
 */
const EVENTS_MAX = 600_000;
const CHECK_EVERY_MS = 10 * MINUTE;
const POLL_MS = 2_000;
const AGE_UNKNOWN = 0.1;

type Worker = {
  process: CardProcess;
  rules: Rules;
  busy: Record<'operations' | 'register' | 'charges' | 'plans', boolean>;
};

export class CardWorld {
  readonly knobs: CardKnobs;
  readonly wire: WireStyle;
  readonly agenda = new Agenda();
  readonly stats = noStats();
  readonly database: CardDatabase;
  readonly judge: Judge;
  readonly charges: ChargeJudge;
  readonly approvals: Approvals = new Approvals(() => this.scene);
  /** What approvers and their judge see of it. */
  readonly scene: Scene = cardSceneOf(this);
  /** Whether the web stores every press of an approver that the database takes. */
  readonly unguarded: boolean;
  readonly gateway: Gateway;
  readonly network: Network;
  readonly notices: Notices;
  readonly web: CardProcess;
  /** Our own send journal, which is outside the database. */
  readonly journal: { reference: string; attempt: number }[] = [];
  healed = false;
  restoredAt: number | null = null;
  /** The rows are those of an earlier copy, and no recovery has begun yet. */
  isUnnoticed = false;
  /** A restore's hook, which is called once, when the next form has been stored. */
  onStored: (() => void) | null = null;
  /** How many events others still have to cause, such as refunds by hand and webhooks. */
  pending = 0;
  readonly trace: string[] = [];
  private readonly traced: boolean;
  private readonly chance: Random;
  private readonly workers: Worker[];
  private wakeAt = Infinity;
  private made = 0;

  constructor(choice: Choice, traced: boolean) {
    this.knobs = drawCardKnobs(choice);
    this.wire = this.knobs.questions;
    this.traced = traced;
    this.chance = this.random('moments');
    this.database = new CardDatabase(this);
    this.judge = new Judge(this);
    this.charges = new ChargeJudge(this);
    this.gateway = new Gateway(this);
    this.network = new Network(this);
    this.notices = new Notices(this);
    this.web = new CardProcess(this, 'web');
    this.workers = Array.from({ length: this.knobs.workers }, (_, index) =>
      this.worker(`worker ${index + 1}`),
    );
    this.unguarded = planGovernance(this, this.knobs.governance);
    this.rememberOrders();
    this.database.plan();
    this.network.plan();
    this.notices.plan();
    planPanel(this);
    planSwitch(this);
    planRestore(this);
    for (const need of this.knobs.needs) {
      const isCharge = need.kind === 'plan' || need.kind === 'charge';
      const Person = isCharge ? ChargeClerk : Clerk;
      // oxlint-disable-next-line no-new -- people put themselves on the agenda
      new Person(this, need);
    }
    // oxlint-disable-next-line no-new
    new Closers(this);
    // oxlint-disable-next-line no-new
    new ChargeClosers(this);
    this.agenda.at(this.knobs.healsAt, () => this.heal());
    this.wake();
  }

  private worker(name: string): Worker {
    const process = new CardProcess(this, name);
    const policy = { quietMs: 30 * MINUTE, manualAfterMs: 30 * MINUTE, autoResend: true };
    const rules: Rules = {
      policy,
      random: process.chance,
      newToken: () => `lease-${++this.made}`,
      bodyOf: contentOf,
    };
    return {
      process,
      rules,
      busy: { operations: false, register: false, charges: false, plans: false },
    };
  }

  /**
   * The orders exist when the world begins: webhooks have reported them, and no record has been
   * read yet.
   */
  private rememberOrders(): void {
    const random = this.random('register');
    this.knobs.orders.forEach(({ hold, ageMs }, index) => {
      const heldSince = hold && !random.chance(AGE_UNKNOWN) ? EPOCH - ageMs : null;
      const id = `payment-${index + 1}`;
      this.database.tables.payments.set(id, {
        id,
        invoiceId: `F-${index + 1}`,
        known: { ...UNREAD, heldSince },
        nextAt: EPOCH,
        tries: 0,
        firstSeenAt: EPOCH - ageMs,
        lastHintAt: null,
        made: null,
      });
    });
    if (!this.knobs.needs.some((need) => need.kind === 'plan')) return;
    this.knobs.plans.forEach((_knob, index) => {
      const id = `plan-${index + 1}`;
      this.database.tables.plans.set(id, {
        id,
        planCode: `F-PLAN-${index + 1}`,
        known: UNREAD_PLAN,
        nextAt: EPOCH,
        tries: 0,
        firstSeenAt: EPOCH,
      });
    });
  }

  random(stream: string): Random {
    return new Random(this.knobs.seed, `card ${stream}`);
  }

  fault(name: CardFaultName, random: Random): boolean {
    const happens = !this.healed && random.chance(this.knobs.faults[name]);
    if (happens) this.stats.card.drawn[name]++;
    return happens;
  }

  /** Plans a fault when the world begins; it is counted when it happens. */
  plans(name: CardFaultName, at: number, run: () => void): void {
    this.agenda.at(Math.min(at, this.knobs.healsAt), () => {
      this.stats.card.drawn[name]++;
      run();
    });
  }

  /** Plans something that others do later. The world does not end before it. */
  later(ms: number, run: () => void): void {
    this.pending++;
    this.agenda.after(ms, () => {
      this.pending--;
      run();
    });
  }

  newIntent(): { id: string; extId: string } {
    const n = String(++this.made);
    return { id: `intent-${n}`, extId: `CARD${n.padStart(14, '0')}` };
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
    const { rows, payments, plans } = this.database.tables;
    for (const row of rows.values())
      if (row.nextAt !== null) first = Math.min(first, Math.max(row.nextAt, row.leaseUntil ?? 0));
    for (const { nextAt } of [...payments.values(), ...plans.values()])
      if (nextAt !== null) first = Math.min(first, nextAt);
    first = Math.min(first, this.firstCharge());
    if (first === Infinity) return;
    const wait = this.chance.chance(0.7)
      ? this.chance.between(1, 100)
      : this.chance.between(1, POLL_MS);
    const at = Math.max(this.agenda.now, this.database.whenClockShows(first)) + wait;
    if (this.wakeAt <= at) return;
    this.wakeAt = at;
    this.agenda.at(at, () => {
      if (this.wakeAt !== at) return;
      this.wakeAt = Infinity;
      for (const worker of this.workers) this.rouse(worker);
    });
  }

  /** From when on a charge of a plan may be claimed, in the time of the world. */
  private firstCharge(): number {
    const tx = this.database.reader();
    return Math.min(
      Infinity,
      ...tx
        .charges()
        .filter((row) => isDue(tx, row))
        .map((row) => (row.leaseUntil === null ? row.askedAt : row.leaseUntil + 1)),
    );
  }

  private rouse({ process, rules, busy }: Worker): void {
    if (!process.alive) return;
    const start = (
      name: keyof typeof busy,
      lane: () => ReturnType<typeof workOnRegister>,
    ): void => {
      if (busy[name]) return;
      busy[name] = true;
      process.run(lane(), (end) => {
        busy[name] = false;
        if (end.kind === 'threw') throw end.error;
        if (end.kind === 'done') this.wake();
      });
    };
    start('operations', () => workOnOperations(rules, process.clocks));
    start('register', workOnRegister);
    start('charges', () => workOnPlanCharges(process.clocks));
    start('plans', workOnPlans);
  }

  process(name: string): CardProcess {
    return [this.web, ...this.workers.map((worker) => worker.process)].find(
      (one) => one.name === name,
    )!;
  }

  /** Kills every process of ours: they all run on the machine that is set up again. */
  killAll(): void {
    for (const { process } of this.workers) process.kill();
    this.web.kill();
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
    this.stats.card.worlds = 1;
    this.stats.events = this.agenda.done;
    return { stats: this.stats, broken, trace: this.trace };
  }

  private live(): void {
    const end = this.knobs.healsAt + PATIENCE_MS;
    let nextCheck = this.knobs.healsAt;
    while (this.agenda.step()) {
      if (this.agenda.done > EVENTS_MAX)
        throw new Violation('C4', 'this world never comes to rest');
      if (this.agenda.now < nextCheck) continue;
      if (settled(this)) break;
      if (this.agenda.now > end && this.pending === 0) break;
      nextCheck = this.agenda.now + CHECK_EVERY_MS;
    }
    const left = unsettled(this);
    if (left !== null) throw new Violation(left.rule, left.what);
  }
}

function clockText(ms: number): string {
  return `${String(Math.floor(ms / DAY))}d ${new Date(ms).toISOString().slice(11, 23)}`;
}
