import type { Begun } from '#lib/begin-check/begin-check.ts';
import type { CloseClaim } from '#lib/movements/closable.ts';
import type { KnownPayment } from '#lib/cards/payments/payment.ts';
import { Refused } from '../guard.ts';
import { copyTables, emptyTables, Tx } from '../store.ts';
import type { Row, Tables } from '../store.ts';
import { checkCharge } from './charge-store.ts';
import type { ChargeChange, ChargeRow, PlanRow } from './charge-store.ts';

/**
 * What the database of a card world holds beside the movements: card payments, and people's claims
 * about an operation.
 */

export type PaymentRow = {
  id: string;
  invoiceId: string;
  known: KnownPayment;
  nextAt: number | null;
  tries: number;
  firstSeenAt: number;
  lastHintAt: number | null;
  /** Null for a payment that was not created here but reported by a webhook. */
  made: { need: number; maker: string; sentAt: number | null; answer: string | null } | null;
};

/** What a person claimed happened to a movement, by the gateway's panel. */
export type Word = { by: string; claim: CloseClaim; at: number; boundTo: string };

/**
 * `at`: when the recovery began, by the database's clock. `isJournalLost`: our send journal was not
 * there to be compared.
 */
type Recovery = { at: number; isJournalLost: boolean };

/**
 * What a process knows of itself and of the world outside the database. `knows`: the rows hold the
 * newest audit entry that the process has seen. `isOnDisk`: its checkpoint is on disk.
 */
export type Here = { account: Begun['account']; knows: boolean; isOnDisk: boolean };

export type CardTables = Tables & {
  payments: Map<string, PaymentRow>;
  statements: Map<string, readonly Word[]>;
  recoveries: Recovery[];
  confirmed: Map<string, number>;
  plans: Map<string, PlanRow>;
  charges: Map<string, ChargeRow>;
};

export const OPEN_CHARGES: readonly string[] = ['QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN'];
const OPEN: readonly string[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'SUBMITTING',
  'UNKNOWN',
  'PENDING',
  'MANUAL_REVIEW',
];

export class CardTx extends Tx {
  private readonly cards: CardTables;
  readonly charged: ChargeChange[] = [];
  private here: Here = { account: 'bound', knows: true, isOnDisk: true };
  private readonly undoCards: (() => void)[] = [];

  constructor(name: string, token: string | null, now: number, tables: CardTables) {
    super(name, token, now, tables);
    this.cards = tables;
  }

  /** Runs this transaction for a process, with what that process knows. */
  as(here: Here): this {
    this.here = here;
    return this;
  }

  /**
   * False when the rows are those of an earlier copy: the newest audit entry that the process knows
   * is missing.
   */
  get isNoticed(): boolean {
    return this.here.knows;
  }

  /**
   * Whether the claim may send from this database: an older copy, or one that is bound to another
   * account, sends nothing.
   */
  get isOurs(): boolean {
    return this.here.knows && this.here.account === 'bound';
  }

  /** The account and the checkpoint of the process, as the begin check sees them. */
  standing(): Pick<Begun, 'account' | 'checkpoint'> {
    const { account, knows, isOnDisk } = this.here;
    return { account, checkpoint: knows && isOnDisk ? 'present' : 'missing' };
  }

  /** Stores a row. A payment has at most one open operation: the index `movements_card_open`. */
  override insert(row: Row): void {
    if (row.card !== null && this.openOf(row.card.paymentId) !== undefined)
      throw new Refused('W', 'one open operation of a payment');
    super.insert(row);
  }

  openOf(paymentId: string): Row | undefined {
    return this.rows().find((row) => row.card?.paymentId === paymentId && OPEN.includes(row.state));
  }

  payment(id: string): PaymentRow | null {
    return this.cards.payments.get(id) ?? null;
  }

  payments(): PaymentRow[] {
    return [...this.cards.payments.values()];
  }

  keepPayment(row: PaymentRow): void {
    this.set(this.cards.payments, row.id, row);
  }

  statementsOf(id: string): readonly Word[] {
    return this.cards.statements.get(id) ?? [];
  }

  keepWord(id: string, word: Word): void {
    this.set(this.cards.statements, id, [...this.statementsOf(id), word]);
  }

  /**
   * Whether the database was restored from a copy after this row was stored: the row may be missing
   * what was recorded since the copy.
   */
  isOlderThanBooks({ createdAt }: Pick<Row, 'createdAt'>): boolean {
    return this.cards.recoveries.some(({ at }) => at > createdAt);
  }

  /** Does what `lib/movements/restored.ts` does. */
  mayBeRepeat({ createdAt, lastSendAt }: Pick<Row, 'createdAt' | 'lastSendAt'>): boolean {
    return this.cards.recoveries.some(({ at }) => at > createdAt && at < (lastSendAt ?? 0));
  }

  /**
   * Does what `lib/send-control/recovery/may-have-left.ts` does. A row that the journal names is
   * never confirmed here.
   */
  mayHaveLeft({ createdAt }: Pick<Row, 'createdAt'>): boolean {
    return this.cards.recoveries.some(({ at, isJournalLost }) => at > createdAt && isJournalLost);
  }

  /**
   * Whether a row needs no confirmation, or a person has confirmed it since the restore that it is
   * older than.
   */
  isConfirmed(row: Pick<Row, 'id' | 'createdAt'>): boolean {
    return !this.isOlderThanBooks(row) || this.cards.confirmed.has(row.id);
  }

  confirm(id: string): void {
    this.set(this.cards.confirmed, id, this.now);
  }

  plan(id: string): PlanRow {
    return this.cards.plans.get(id)!;
  }

  plans(): PlanRow[] {
    return [...this.cards.plans.values()];
  }

  keepPlan(row: PlanRow): void {
    this.set(this.cards.plans, row.id, row);
  }

  charge(id: string): ChargeRow | null {
    return this.cards.charges.get(id) ?? null;
  }

  charges(): ChargeRow[] {
    return [...this.cards.charges.values()];
  }

  /**
   * Stores a charge. Returns false when the plan has an open charge already: the index
   * `plan_charges_open`.
   */
  insertCharge(row: ChargeRow): boolean {
    if (this.charges().some((one) => one.planId === row.planId && OPEN_CHARGES.includes(one.state)))
      return false;
    this.set(this.cards.charges, row.id, row);
    this.charged.push({ before: null, after: row });
    return true;
  }

  updateCharge(id: string, changes: Partial<ChargeRow>): ChargeRow {
    const before = this.charge(id)!;
    const after = { ...before, ...changes };
    checkCharge(before, after);
    this.set(this.cards.charges, id, after);
    this.charged.push({ before, after });
    return after;
  }

  /**
   * Whether a queued charge is older than a recovery and not confirmed since that recovery began.
   */
  isHeldCharge({ id, askedAt }: Pick<ChargeRow, 'id' | 'askedAt'>): boolean {
    return this.cards.recoveries.some(
      ({ at }) => at > askedAt && (this.cards.confirmed.get(id) ?? -Infinity) <= at,
    );
  }

  confirmedAt(id: string): number | null {
    return this.cards.confirmed.get(id) ?? null;
  }

  override rollback(): void {
    for (const step of this.undoCards.reverse()) step();
    super.rollback();
  }

  private set<V>(table: Map<string, V>, key: string, value: V): void {
    const had = table.has(key);
    const before = table.get(key) as V;
    table.set(key, value);
    this.undoCards.push(() => (had ? table.set(key, before) : table.delete(key)));
  }
}

export function emptyCardTables(): CardTables {
  return {
    ...emptyTables(),
    payments: new Map(),
    statements: new Map(),
    recoveries: [],
    confirmed: new Map(),
    plans: new Map(),
    charges: new Map(),
  };
}

/** A copy that later changes do not affect: values in the tables are replaced, never changed. */
export function copyOf(tables: CardTables): CardTables {
  const { payments, statements, recoveries, confirmed, plans, charges } = tables;
  return {
    ...copyTables(tables),
    payments: new Map(payments),
    statements: new Map(statements),
    recoveries: [...recoveries],
    confirmed: new Map(confirmed),
    plans: new Map(plans),
    charges: new Map(charges),
  };
}
