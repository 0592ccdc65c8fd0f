import { BatchWatch } from './batch-watch.ts';
import { Counts } from './counts.ts';
import { Fields } from './fields.ts';
import type { Row, Change } from './store.ts';
import { isLive } from './provider.ts';
import type { Payment } from './provider.ts';
import { canBeKnown } from './copies.ts';
import { Approvals } from './approvals.ts';
import { describe, wireKey } from './descriptions.ts';
import { Pace } from './pace.ts';
import { MINUTE } from './time.ts';
import { PageClaims } from './page-claims.ts';
import { TwoPeople } from './two-people.ts';
import { isWritten } from './verbs.ts';
import { Violation } from './violation.ts';
import type { Rule } from './violation.ts';
import type { Effect } from './worker.ts';
import type { World } from './world.ts';

/** They know the provider's records and the requests, and share no code with the product. */

const FINAL: readonly string[] = ['COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
const NOT_ON_THE_WIRE: readonly string[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'CANCELLED',
  'EXPIRED',
];
const LEASE_MS = 45_000;
/**
 * The least time between a send whose outcome is unclear and a resend: 30 min and the request's
 * tail of 210 s, less the five minutes by which the database's clock may be wrong.
 */
const QUIET_MS = 28.5 * MINUTE;
/** A check may be about a minute old for a "pay again". */
const TRUSTED_MS = 61_000;

const JUDGES = ['fields', 'counts', 'twoPeople', 'approvals', 'pageClaims', 'batches'] as const;

export class Watch {
  /**
   * Needs and ext ids about which no rule of ours can be right: the provider contradicted itself, a
   * proxy doubled a request, or a restore removed a send that nothing names.
   */
  readonly excused = new Set<string>();
  private readonly bodies = new Map<string, string>();
  private readonly written_ = new Map<string, { count: number; lastAt: number }>();
  private readonly everWritten = new Map<string, number>();
  private readonly claims = new Map<string, number>();
  private readonly turnedAway = new Set<string>();
  private readonly writtenTokens = new Set<string | null>();
  private readonly turnedAwayCount = new Map<string, number>();
  private readonly knownTokens = new Set<string>();
  private readonly known = new Set<string>();
  private readonly notFound = new Map<string, number>();
  /** When a payment completed that its own record had called refused or failed, by reference. */
  readonly changedAt = new Map<string, number>();
  readonly counts = new Counts();
  private readonly pace = new Pace();
  private readonly fields: Fields;
  private readonly twoPeople = new TwoPeople();
  readonly approvals: Approvals;
  readonly pageClaims: PageClaims;
  readonly batches: BatchWatch;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.pageClaims = new PageClaims(world);
    this.batches = new BatchWatch(world);
    this.fields = new Fields(world);
    this.approvals = new Approvals(() => world.scene);
  }

  private fail(rule: Rule, what: string): never {
    throw new Violation(rule, what);
  }

  /** Called after every committed transaction. */
  committed(change: Change): void {
    for (const { extId, verb, kind } of this.world.knobs.ahead ? [] : change.played) {
      if (!isWritten(verb, kind))
        this.fail('V', `${extId}: no ${verb ?? 'verb'} of the product writes ${kind}`);
    }
    for (const { before, after } of change.rows) {
      this.world.note(change.name, () => describe(before, after, change.at));
      this.world.lives.changed(before, after, this.world.agenda.now);
      if (before === null) {
        this.taken(after);
        continue;
      }
      const visible =
        before.state !== after.state ||
        before.returned !== after.returned ||
        before.alert !== after.alert;
      if (visible && !change.audited.has(after.id))
        this.fail('I10', `${after.extId} changed without an audit entry`);
      if (FINAL.includes(before.state) && after.state !== before.state)
        this.fail('I6', `${after.extId} went from ${before.state} to ${after.state}`);
      if (before.extId !== after.extId) this.fail('I2', `${before.extId} became ${after.extId}`);
      if (change.token !== null) this.recorded(change, before, after);
      const held = before.leaseUntil !== null && before.leaseUntil > change.at;
      const isClaim = change.name.endsWith(': claim');
      if (isClaim && after.state === 'APPROVED' && this.world.database.tables.switchedOff)
        this.world.lives.meets(after.extId, 'stopped by the switch');
      if (isClaim && held) this.fail('L', `${after.extId} is taken from the worker that holds it`);
      if (before.state !== after.state) this.moved(before, after, change);
      if (before.returned !== 'CONFIRMED' && after.returned === 'CONFIRMED') this.returned(after);
    }
    this.world.restore.committed(change);
    for (const name of JUDGES) this[name].committed(change);
  }

  private moved(before: Row, after: Row, change: Change): void {
    const { world } = this;
    const payments = world.provider.payments.filter((one) => one.extId === after.extId);
    const live = payments.some(isLive);
    const underWay = (world.network.underWay.get(after.extId) ?? 0) > 0;
    if (after.state === 'SUBMITTING') this.claimed(before, after, change);
    if (before.state === 'AWAITING_APPROVAL' && after.state === 'APPROVED') this.taken(after);
    if (after.state === 'UNKNOWN') world.stats.unknown++;
    if (after.state === 'UNKNOWN' && !after.everAmbiguous)
      this.fail('R', `${after.extId} is UNKNOWN, and that is not kept for good`);
    if (after.state === 'COMPLETED' && !payments.some((one) => one.state === 'completed'))
      this.fail('I5', `${after.extId} is COMPLETED, the provider completed nothing`);
    if ((after.state === 'PENDING' || after.state === 'MANUAL_REVIEW') && payments.length === 0)
      this.fail('I5', `${after.extId} is ${after.state}, the provider has no record`);
    const dead =
      after.state === 'REJECTED' ||
      after.state === 'FAILED' ||
      NOT_ON_THE_WIRE.includes(after.state);
    // The page shows what the recovery found beside the row, and that it may have been sent.
    if (world.restore.forgets(after.extId) || world.restore.isFound(after.extId)) return;
    if (dead && live && !this.excused.has(after.extId))
      this.fail('I5', `${after.extId} is ${after.state}, the provider holds live money for it`);
    if (dead && underWay)
      this.fail('I5', `${after.extId} is ${after.state} while a request is on its way`);
  }

  private returned(after: Row): void {
    const { now } = this.world.agenda;
    this.world.stats.returns++;
    const back = this.world.provider.payments.some(
      (one) =>
        one.extId === after.extId &&
        one.back?.amountMinor === one.amountMinor &&
        one.back.postedAt <= now,
    );
    if (!back)
      this.fail('I7', `${after.extId} is confirmed as returned, the ledger shows no such credit`);
  }

  private claimed(before: Row, after: Row, change: Change): void {
    const { world } = this;
    const token = after.leaseToken;
    if (token === null || after.leaseUntil === null)
      this.fail('I13', `${after.extId} is SUBMITTING without a lease`);
    this.claims.set(token, world.agenda.now);
    if (world.database.tables.switchedOff)
      this.fail('K', `${after.extId} is claimed while the switch is off`);
    this.pace.claimed(after, token, change.at);
    if (before.state === 'UNKNOWN') this.resent(after);
    this.notFound.set(after.extId, 0);
    const over = world.database.whenClockShows(after.leaseUntil) + 10_000;
    world.agenda.at(over, () => this.stillLeased(after.id, token));
  }

  private resent(after: Row): void {
    const { extId } = after;
    const { agenda, knobs, stats } = this.world;
    stats.resends++;
    if (!knobs.autoResend) this.fail('R', `${extId} is sent again although only people may`);
    if (this.known.has(extId))
      this.fail('R', `${extId} is sent again although the provider said that it knows it`);
    const sent = this.written_.get(extId);
    if (sent === undefined) return;
    if (agenda.now - sent.lastAt < QUIET_MS)
      this.fail(
        'R',
        `${extId} is sent again after ${Math.round((agenda.now - sent.lastAt) / 1000)} s`,
      );
    if ((this.notFound.get(extId) ?? 0) < 3)
      this.fail('R', `${extId} is sent again after ${this.notFound.get(extId) ?? 0} looks`);
  }

  private stillLeased(id: string, token: string): void {
    const { agenda, database } = this.world;
    const row = database.tables.rows.get(id);
    if (row?.state !== 'SUBMITTING' || row.leaseToken !== token) return;
    if (
      agenda.now - database.lastTroubleAt <= 10_000 ||
      database.clock() < (row.leaseUntil ?? 0) + 10_000
    )
      return;
    if (this.world.workers.some((worker) => !worker.busy))
      this.fail('I13', `${row.extId} is SUBMITTING without a live lease`);
  }

  /** Judges what the worker recorded of a response under this claim. */
  private recorded(change: Change, before: Row, after: Row): void {
    const token = change.token!;
    if (
      before.leaseToken !== token &&
      (before.leaseToken !== after.leaseToken || before.leaseUntil !== after.leaseUntil)
    )
      this.fail('L', `a late worker ended the lease of ${after.extId}`);
    if (this.knownTokens.has(token)) this.known.add(after.extId);
    if (change.name.endsWith('not_found') && before.leaseToken === token)
      this.notFound.set(after.extId, (this.notFound.get(after.extId) ?? 0) + 1);
    this.meets(change, before, after);
    // A worker that has recorded the outcome sends nothing more under this claim.
    if (this.turnedAway.has(token) || !this.writtenTokens.has(token)) this.pace.freed(after, token);
  }

  private meets({ name, at }: Change, before: Row, after: Row): void {
    const { lives } = this.world;
    if (
      name.endsWith('read not_found') &&
      (before.state === 'PENDING' || before.state === 'MANUAL_REVIEW')
    ) {
      lives.meets(after.extId, 'not listed while pending');
      if (at - (before.acceptedAt ?? at) > 30 * MINUTE)
        lives.meets(after.extId, 'not listed for half an hour');
    }
    if (
      FINAL.includes(before.state) &&
      before.alert !== 'contradiction' &&
      after.alert === 'contradiction'
    )
      lives.meets(after.extId, 'record contradicts the end');
  }

  /** Called when the first byte of a request leaves. */
  written(row: Row, body: string, by: string): void {
    const { world } = this;
    const { extId } = row;
    const { now } = world.agenda;
    this.writtenTokens.add(row.leaseToken);
    world.stats.sends++;
    world.lives.of(extId).sentAt.push(now);
    world.note(by, () => `sends ${extId}`);
    const sent = { count: (this.written_.get(extId)?.count ?? 0) + 1, lastAt: now };
    this.written_.set(extId, sent);
    this.everWritten.set(extId, this.writtenOf(extId) + 1);
    world.restore.written(row);
    const begun = this.claims.get(row.leaseToken ?? '');
    if (begun === undefined) this.fail('I11', `${extId} is on the wire without a committed claim`);
    if (now - begun >= LEASE_MS)
      this.fail('S', `${extId} is sent ${Math.round((now - begun) / 1000)} s after its claim`);
    const stored = world.database.tables.attempts.get(row.id) ?? [];
    if (stored.length < sent.count || stored.at(-1) !== body)
      this.fail('I11', `${extId} is on the wire without its attempt`);
    if (sent.count - (this.turnedAwayCount.get(extId) ?? 0) > 3)
      this.fail('R', `${extId} was sent ${sent.count} times`);
    // The bytes of a send that was certainly not executed may change; those of one that may have
    // been executed must never change.
    const before = this.bodies.get(extId);
    if (before !== undefined && before !== body && row.everAmbiguous)
      this.fail('I4', `${extId} was sent with other bytes`);
    this.bodies.set(extId, body);
    this.batches.written(row, body);
    this.approvals.covers(row, wireKey(body));
  }

  /**
   * The rows became those of an earlier copy: the counts of the rows go back to the copy's, but
   * `everWritten` keeps every earlier send.
   */
  restored(): void {
    const { rows, attempts } = this.world.database.tables;
    this.counts.restored(rows.values());
    for (const { id, extId } of rows.values()) {
      const sent = this.written_.get(extId);
      if (sent !== undefined)
        this.written_.set(extId, {
          ...sent,
          count: Math.min(sent.count, attempts.get(id)?.length ?? 0),
        });
    }
    this.pace.restored();
  }

  /** How many requests of this reference had their first byte written. */
  writtenOf(extId: string): number {
    return this.everWritten.get(extId) ?? 0;
  }

  /** A request of ours was not written, or was refused before anything was executed. */
  wasTurnedAway(extId: string, token: string | null, written: boolean): void {
    if (token !== null) this.turnedAway.add(token);
    if (written) this.turnedAwayCount.set(extId, (this.turnedAwayCount.get(extId) ?? 0) + 1);
  }

  /** The provider refused a send by the one-minute rule of an IBAN. */
  waitsForMinute(extId: string): void {
    this.wasTurnedAway(extId, null, true);
    this.world.lives.meets(
      extId,
      this.rowOf(extId)?.everAmbiguous === true
        ? 'one-minute rule after unclear'
        : 'one-minute rule',
    );
    this.pace.waited(extId);
  }

  /** The response that arrived under this claim reveals that there is a record for the id. */
  saysKnown(token: string | null): void {
    if (token !== null) this.knownTokens.add(token);
  }

  /**
   * A form was accepted and its row is committed. Until the outcome of an equal payment is known,
   * no person may send the same again, whatever they tick; a later click finds this row.
   */
  private taken(row: Row): void {
    const open = [...this.world.database.rows()].find(
      (one) =>
        one.id !== row.id &&
        (one.toWallet ?? one.iban) === (row.toWallet ?? row.iban) &&
        one.amountMinor === row.amountMinor &&
        ['UNKNOWN', 'SUBMITTING'].includes(one.state),
    );
    if (open !== undefined)
      this.fail(
        'U',
        `${row.extId} was taken while ${open.extId}, the same amount for the same payee, is ${open.state}`,
      );
  }

  private rowOf(extId: string): Row | undefined {
    for (const row of this.world.database.rows()) if (row.extId === extId) return row;
    return undefined;
  }

  /** A request arrives at the provider. Returns the need that it is for. */
  arrived(extId: string): number {
    const forgotten = this.world.restore.forgottenNeed(extId);
    if (forgotten !== null) return forgotten;
    const row = this.rowOf(extId);
    if (row === undefined) this.fail('I11', `${extId} is on the wire without a row`);
    if (this.bodies.get(extId) === undefined || row.sends === 0)
      this.fail('I11', `${extId} arrived and was never sent`);
    return row.need;
  }

  /** The provider executes a payment for a need. */
  executed(payment: Payment): void {
    const row = this.rowOf(payment.extId);
    this.world.stats.executed++;
    this.world.lives.of(payment.extId).executed++;
    if (this.excused.has(`need ${payment.need}`)) return;
    const others = this.world.provider.payments.filter(
      (one) => one !== payment && one.need === payment.need && isLive(one),
    );
    if (others.length > 0)
      this.fail(
        'I1',
        `need ${payment.need} is paid again by ${payment.extId}; ${others[0]!.extId} is still out`,
      );
    if (row === undefined || this.world.restore.forgets(row.extId)) return;
    if (FINAL.includes(row.state) || NOT_ON_THE_WIRE.includes(row.state))
      this.fail('I5', `${payment.extId} is executed while it is ${row.state}`);
    this.pageClaims.check(row);
  }

  changedMind(payment: Payment): void {
    this.changedAt.set(payment.extId, this.world.agenda.now);
    this.excused.add(payment.extId).add(`need ${payment.need}`);
  }

  /** Called when a person was allowed to pay `parent` again. */
  paidAgain(parent: Row): void {
    this.world.stats.paidAgain++;
    this.world.lives.meets(parent.extId, 'paid again');
    const { provider, agenda } = this.world;
    const { now } = agenda;
    const live = provider.payments.some(
      (one) =>
        one.extId === parent.extId &&
        isLive(one) &&
        now - (this.changedAt.get(one.extId) ?? 0) > TRUSTED_MS &&
        canBeKnown(this.world, one, now - TRUSTED_MS),
    );
    if (live)
      this.fail(
        'P',
        `${parent.extId} may be paid again while the provider holds live money for it`,
      );
  }

  asked(effect: Extract<Effect, { kind: 'read' | 'summary' }>): void {
    this.world.stats.looks++;
    const extId = effect.kind === 'read' ? effect.row.extId : effect.fields.ext_transaction_id;
    if (typeof extId !== 'string') return;
    if (effect.kind === 'read') this.world.lives.of(extId).looks++;
    this.pace.checked(extId, this.world.agenda.now);
  }
}
