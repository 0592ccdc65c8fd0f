import { EPOCH } from '../database.ts';
import { DAY, MINUTE } from '../time.ts';
import type { Rule } from '../violation.ts';
import { Violation } from '../violation.ts';
import type { ChargeChange, ChargeRow } from './charge-store.ts';
import type { TakenCharge } from './plan.ts';
import { OPEN_CHARGES } from './store.ts';
import type { CardTables } from './store.ts';
import type { CardWorld } from './world.ts';

/**
 * Judges the world while plans and cards are charged. It knows the requests and the gateway's
 * records, and shares no code with the product.
 */

const LEASE_MS = 45_000;
const CHECKED_MS = 15_000;
const DUE_BEFORE_MS = 10 * MINUTE;
const LISTED_MS = 3 * DAY;
const NOTHING_LEFT: readonly (string | null)[] = [
  'waited_too_long',
  'stopped',
  'plan_unread',
  'not_active',
  'plan_changed',
  'due_by_itself',
  'no_merchant',
  'cancelled',
  'not_sent',
  'not_journaled',
];

export class ChargeJudge {
  private readonly sent = new Map<string, number>();
  private readonly left = new Map<string, number>();
  private readonly needs = new Map<string, number>();
  private readonly executions = new Map<string, number>();
  private readonly excused = new Set<string>();
  private readonly twice = new Set<string>();
  private stoppedSince: number | null = null;
  private readonly world: CardWorld;

  constructor(world: CardWorld) {
    this.world = world;
  }

  private fail(rule: Rule, what: string): never {
    throw new Violation(rule, what);
  }

  /** Called after every committed transaction, with the charges that it changed. */
  committed(name: string, changes: readonly ChargeChange[]): void {
    const { agenda, database } = this.world;
    if (!database.tables.switchedOff) this.stoppedSince = null;
    else this.stoppedSince ??= agenda.now;
    for (const { before, after } of changes) {
      if (before === null) this.needs.set(after.id, after.need);
      if (before?.state === after.state) continue;
      this.world.note(
        name,
        () =>
          `${after.id}: ${before?.state ?? 'a new charge'} → ${after.state} ${after.reason ?? ''}`,
      );
      if (after.state === 'SENDING') this.left.set(after.id, agenda.now);
      if (name.endsWith(': close')) this.closed(after);
      this.saysTrue(after);
    }
    // A checkout has no row of its own: it is a row of the card payments.
    for (const { invoiceId, known, made } of database.tables.payments.values()) {
      if (made === null) continue;
      this.needs.set(invoiceId, made.need);
      if (made.sentAt !== null && !this.left.has(invoiceId)) this.left.set(invoiceId, agenda.now);
      if (known.state === 'failed') this.nothingTaken(invoiceId, 'failed');
      if (known.state === 'completed' && !this.wasExecuted(invoiceId))
        this.fail('C3', `${invoiceId} is called paid, and nothing was taken`);
    }
  }

  private saysTrue(row: ChargeRow): void {
    if (row.state === 'CHARGED' && !this.excused.has(row.id)) {
      const listed = this.takenOf(row).find(
        (one) =>
          one.status === 'completed' &&
          (row.taken === null
            ? one.intent === row.id
            : one.number === row.taken.number && this.isNew(one, row)),
      );
      if (listed === undefined)
        this.fail('C3', `${row.id} is called charged, and the gateway has not done it`);
      this.isShownOnce(row, listed);
    }
    if (row.state !== 'NOT_CHARGED' || this.excused.has(row.id)) return;
    const isForgotten = this.isForgotten(row);
    if (row.reason !== 'called_off_unproven' || !isForgotten) this.nothingTaken(row.id, row.reason);
    if (NOTHING_LEFT.includes(row.reason) && !isForgotten && (this.sent.get(row.id) ?? 0) > 0)
      this.fail('C3', `"nothing left" is said of ${row.id} (${row.reason}), and it did`);
  }

  /**
   * A charge that the gateway made for one of our requests must not also be called the result of
   * another request. That request may show another charge of the record as its own: after two
   * people wrongly said of an earlier charge that it was not made, the record's rows cannot be told
   * apart, and each is counted for one request.
   */
  private isShownOnce(row: ChargeRow, { intent, number }: TakenCharge): void {
    if (intent === null || intent === row.id || this.excused.has(intent)) return;
    const other = this.world.database.tables.charges.get(intent);
    if (other?.state !== 'CHARGED') return;
    if (other.taken === null || other.taken.number === number)
      this.fail('C3', `charge ${number} is called the result of ${intent} and of ${row.id}`);
  }

  /**
   * Whether a charge was made late enough to be the one that was requested: a charge that a record
   * listed before the press cannot be.
   */
  private isNew(one: TakenCharge, { askedAt }: ChargeRow): boolean {
    return EPOCH + one.at > askedAt - LISTED_MS;
  }

  private nothingTaken(intent: string, why: string | null): void {
    if (this.wasExecuted(intent))
      this.fail('C3', `"nothing taken" is said of ${intent} (${why}), and it was taken`);
    if ((this.world.network.underWay.get(intent) ?? 0) > 0 && !this.world.judge.isDoubled(intent))
      this.fail('C3', `"nothing taken" is said of ${intent} (${why}) while it is on its way`);
  }

  /**
   * Excuses a charge about which the latest claims of two people are wrong: no rule of ours can
   * prevent that.
   */
  private closed(row: ChargeRow): void {
    const latest = new Map(
      (this.world.database.tables.statements.get(row.id) ?? []).map((word) => [
        word.by,
        word.claim !== 'not_done',
      ]),
    );
    if ([...latest.values()].filter((isDone) => isDone !== this.wasExecuted(row.id)).length > 1)
      this.excused.add(row.id);
  }

  /** Our charges that the gateway carried out. */
  taken(): string[] {
    return [...this.executions].filter(([, times]) => times > 0).map(([intent]) => intent);
  }

  wasExecuted(intent: string): boolean {
    return (this.executions.get(intent) ?? 0) > 0;
  }

  private isForgotten({ askedAt }: ChargeRow): boolean {
    return (
      this.world.isUnnoticed || this.world.database.tables.recoveries.some(({ at }) => at > askedAt)
    );
  }

  private takenOf({ planId }: ChargeRow): readonly TakenCharge[] {
    const { planCode } = this.world.database.tables.plans.get(planId)!;
    return this.world.gateway.charges.plans.get(planCode)!.taken;
  }

  /** Called when the first byte of a request leaves. */
  written(intent: string, by: string): void {
    const { agenda, database, stats } = this.world;
    stats.card.requests++;
    this.world.note(by, () => `sends ${intent}`);
    const sent = (this.sent.get(intent) ?? 0) + 1;
    this.sent.set(intent, sent);
    if (sent > 1 && !database.tables.confirmed.has(intent))
      this.fail('C1', `${intent} is sent ${sent} times`);
    const left = this.left.get(intent);
    if (left === undefined) this.fail('I11', `${intent} is on the wire without a committed claim`);
    if (agenda.now - left >= LEASE_MS)
      this.fail(
        'S',
        `${intent} is sent ${Math.round((agenda.now - left) / 1000)} s after its claim`,
      );
    if (this.stoppedSince !== null && agenda.now - this.stoppedSince > CHECKED_MS)
      this.fail('K', `${intent} is sent after everything was stopped`);
    const row = database.tables.charges.get(intent);
    if (row !== undefined && this.isForgotten(row) && !database.tables.confirmed.has(intent))
      this.fail('C5', `${intent} is older than the restore, and leaves without a person's word`);
  }

  turnedAway(intent: string): void {
    this.sent.set(intent, (this.sent.get(intent) ?? 1) - 1);
  }

  /** Called when the gateway captures money for one of our intents. */
  executed(intent: string, amountMinor: bigint): void {
    const { database, stats } = this.world;
    stats.card.executed++;
    stats.card.charged++;
    const times = (this.executions.get(intent) ?? 0) + 1;
    this.executions.set(intent, times);
    if (times > 1) this.fail('C1', `${intent} is taken ${times} times`);
    const row = database.tables.charges.get(intent);
    if (row !== undefined && row.amountMinor !== amountMinor)
      this.fail('C1', `${intent} is taken with another amount`);
    const need = this.needs.get(intent);
    const others = [...this.needs].filter(
      ([other, of]) =>
        of === need && other !== intent && this.wasExecuted(other) && !this.excused.has(other),
    );
    if (others.length > 0 && this.world.restoredAt === null)
      this.fail(
        'I1',
        `what was wanted once is taken again by ${intent}; ${others[0]![0]} was it before`,
      );
    if (row?.state === 'NOT_CHARGED' && !this.excused.has(intent))
      this.fail('C3', `${intent} is taken while it is called not charged`);
  }

  /** The gateway carries out one request of ours twice. A person has to be alerted. */
  carriedOutTwice(intent: string): void {
    this.twice.add(intent);
  }

  /** The page said that nothing was charged, and the person presses again. */
  pressedAgain(intent: string): void {
    if (this.wasExecuted(intent) && !this.excused.has(intent))
      this.fail('P', `${intent} may be done again while it was taken`);
  }

  /** What is still unsettled after the faults have stopped, or null. */
  unsettled(tables: CardTables): { rule: Rule; what: string } | null {
    for (const row of tables.charges.values()) {
      if (OPEN_CHARGES.includes(row.state))
        return {
          rule: 'C4',
          what: `${row.id} (plan charge) is still ${row.state}, and nobody can go on with it`,
        };
      if (row.state === 'CHARGED' && row.contradictedAt === null && this.twice.has(row.id))
        return { rule: 'C2', what: `the gateway took ${row.id} twice, and nobody is told` };
      if (
        row.state === 'NOT_CHARGED' &&
        row.sentAt !== null &&
        row.contradictedAt === null &&
        this.isUnexplained(row)
      ) {
        return {
          rule: 'C2',
          what: `the gateway took ${row.id}, which is NOT_CHARGED without a flag`,
        };
      }
    }
    for (const [invoiceId] of this.world.gateway.charges.paid) {
      const row = [...tables.payments.values()].find((one) => one.invoiceId === invoiceId);
      if (row === undefined && this.world.restoredAt !== null) continue;
      const isFlagged = row?.known.problem === 'mismatch' || row?.known.problem === 'contradiction';
      if (row === undefined || (row.known.state === null && !isFlagged))
        return { rule: 'C6', what: `${invoiceId} was paid, and the register does not show it` };
    }
    return null;
  }

  /**
   * Whether the gateway took this charge, and no other charge explains that. From the plan's own
   * day on the gateway makes the same charge itself, and the two cannot be told apart. A charge
   * also cannot be told apart from another request of the plan that never arrived and is called
   * charged in its place: a record numbers the charges and names no request.
   */
  private isUnexplained(row: ChargeRow): boolean {
    const { planCode } = this.world.database.tables.plans.get(row.planId)!;
    const plan = this.world.gateway.charges.plans.get(planCode)!;
    return plan.taken.some(
      (one) =>
        one.intent === row.id &&
        one.status === 'completed' &&
        plan.shownAt(one.number) < one.dueAt - DUE_BEFORE_MS &&
        !this.isCountedAsAnother(one, row),
    );
  }

  private isCountedAsAnother({ number }: TakenCharge, { planId }: ChargeRow): boolean {
    return [...this.world.database.tables.charges.values()].some(
      (other) =>
        other.planId === planId &&
        other.state === 'CHARGED' &&
        other.taken?.number === number &&
        !this.wasExecuted(other.id),
    );
  }
}
