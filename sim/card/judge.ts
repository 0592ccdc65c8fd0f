import type { Row, Change } from '../store.ts';
import { Violation } from '../violation.ts';
import type { Rule } from '../violation.ts';
import { shownOf } from './approvals.ts';
import type { Effect } from './effect.ts';
import { checkOrderUnchanged, checkRequestText } from './fidelity.ts';
import { isLive } from './gateway.ts';
import type { Work } from './gateway.ts';
import type { CardWorld } from './world.ts';

/**
 * Judges a card world while it runs. It knows the requests and the gateway's records, shares no
 * code with the product, and counts for itself.
 */

const FINAL: readonly string[] = ['COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
const NOT_DONE: readonly string[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
/** States in which people believe that nothing was sent. */
const NOT_LEFT: readonly string[] = ['DRAFT', 'AWAITING_APPROVAL', 'APPROVED', ...NOT_DONE];
const LEASE_MS = 45_000;
/**
 * A check that was made before the connection was open may be this old: as long as connecting
 * takes.
 */
const CHECKED_MS = 15_000;

type Request = Extract<Effect, { kind: 'request' }>;

export class Judge {
  /**
   * Needs and intents about which two people agreed on something wrong, or which the world itself
   * repeated: no rule of ours can be right about them.
   */
  readonly excused = new Set<string>();
  private readonly sent = new Map<string, number>();
  private readonly claims = new Map<string, number>();
  private readonly twice = new Set<string>();
  /**
   * Intents whose first request was carried out and whose copy was refused, so that nothing shows
   * the first.
   */
  readonly copies = new Set<string>();
  private readonly lines = new Set<string>();
  private stoppedSince: number | null = null;
  private readonly world: CardWorld;

  constructor(world: CardWorld) {
    this.world = world;
  }

  fail(rule: Rule, what: string): never {
    throw new Violation(rule, what);
  }

  /** Called after every committed transaction. */
  committed(change: Change): void {
    const { tables } = this.world.database;
    if (!tables.switchedOff) this.stoppedSince = null;
    else this.stoppedSince ??= this.world.agenda.now;
    for (const { before, after } of change.rows) {
      this.world.note(change.name, () => described(before, after));
      if (before === null) {
        this.stored();
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
      if (change.name === 'notice' && before.state !== after.state)
        this.fail('I14', `a notice made ${after.extId} ${after.state}`);
      const held = before.leaseUntil !== null && before.leaseUntil > change.at;
      if (change.name.endsWith(': claim') && held)
        this.fail('L', `${after.extId} is taken from the worker that holds it`);
      if (before.state !== after.state && change.name.endsWith(': close')) this.closed(after);
      if (before.state !== after.state) this.moved(before, after);
      if (before.alert !== 'contradiction' && after.alert === 'contradiction')
        this.world.stats.card.contradicted++;
    }
  }

  private stored(): void {
    const { onStored } = this.world;
    this.world.onStored = null;
    onStored?.();
  }

  private moved(before: Row, after: Row): void {
    const { agenda, stats } = this.world;
    const { card } = stats;
    if (after.state === 'SUBMITTING') {
      if (after.leaseToken === null)
        this.fail('I13', `${after.extId} is SUBMITTING without a lease`);
      this.claims.set(after.leaseToken, agenda.now);
      if (this.world.database.tables.switchedOff)
        this.fail('K', `${after.extId} is claimed while the switch is off`);
      if (before.state === 'UNKNOWN')
        this.fail('C1', `${after.extId} is about to be sent again by a machine`);
    }
    if (after.state === 'UNKNOWN') card.unknown++;
    if (after.state === 'COMPLETED') card.completed++;
    if (after.state === 'REJECTED') card.rejected++;
    if (after.state === 'FAILED') card.failed++;
    this.saysTrue(after);
  }

  /** Compares what the page claims in this state with the gateway's records at this moment. */
  private saysTrue(row: Row): void {
    if (this.isExcused(row)) return;
    const live = this.world.gateway.of(row.extId).filter(isLive);
    const onTheWay = (this.world.network.underWay.get(row.extId) ?? 0) > 0;
    const isSaid =
      (row.state === 'CANCELLED' && this.isForgotten(row)) ||
      (row.state === 'REJECTED' && this.isUnproven(row));
    if (NOT_DONE.includes(row.state) && !isSaid) {
      if (live.length > 0)
        this.fail('C3', `${row.extId} is called ${row.state}, and the gateway has done it`);
      if (onTheWay && !this.isDoubled(row.extId) && !this.isTooLateToRelease(row))
        this.fail('C3', `${row.extId} is called ${row.state} while a request of it is on its way`);
    }
    const isStopped =
      row.state === 'REJECTED' &&
      row.reasonCode !== null &&
      !/^\d+$/.test(row.reasonCode) &&
      !row.reasonCode.startsWith('level_');
    const nothingSent = isStopped || (row.state === 'CANCELLED' && row.sends === 0);
    if (nothingSent && !this.isUnproven(row) && (this.sent.get(row.extId) ?? 0) > 0)
      this.fail('C3', `"nothing was sent" is said of ${row.extId} (${row.reasonCode}), and it was`);
    if (row.state === 'COMPLETED' && !this.isDone(row))
      this.fail('C3', `${row.extId} is called done, and the gateway has not done it`);
    const isAccepted = row.state === 'PENDING' || row.state === 'MANUAL_REVIEW';
    if (isAccepted && this.world.gateway.of(row.extId).length === 0 && !this.isDone(row))
      this.fail('C3', `${row.extId} is called accepted, the gateway has nothing of it`);
  }

  /**
   * Whether a person would see the operation as carried out in the panel, by our request or by
   * another person.
   */
  isDone({ kind, extId, amountMinor, card }: Row): boolean {
    const works = this.world.gateway.of(extId);
    if (
      works.some(
        (work) =>
          work.state === 'done' && (work.kind === 'release' || work.amountMinor === amountMinor),
      )
    )
      return true;
    if (card === null) return works.some((work) => work.state === 'undone');
    const panel = this.world.gateway.panel(card.invoiceId);
    if (kind === 'card_capture') return panel.captured === amountMinor;
    if (kind === 'card_release') return panel.cancelled;
    return panel.refunds.some((one) => one.state === 'done' && one.amountMinor === amountMinor);
  }

  /** Whether a row may have been sent since the backup: whoever cancels it cannot know that. */
  private isForgotten({ createdAt }: Row): boolean {
    return (
      this.world.isUnnoticed ||
      this.world.database.tables.recoveries.some(({ at }) => at > createdAt)
    );
  }

  /**
   * Does what lib/send-control/recovery/may-have-left.ts does: the page says that a send may be
   * missing here.
   */
  private isUnproven(row: Row): boolean {
    const { recoveries } = this.world.database.tables;
    const isNamed = this.world.journal.some(({ reference }) => reference === row.extId);
    return (
      this.world.isUnnoticed ||
      recoveries.some(({ at, isJournalLost }) => at > row.createdAt && (isJournalLost || isNamed))
    );
  }

  isExcused({ extId, need }: Pick<Row, 'extId' | 'need'>): boolean {
    return this.excused.has(extId) || this.excused.has(`need ${need}`);
  }

  /** Called when the first byte of a request leaves. */
  written({ intent, token, path, body }: Request, by: string): void {
    const { world } = this;
    const { now } = world.agenda;
    this.mayWrite(intent, by);
    if (path === 'processPlan' || path === 'pay') return world.charges.written(intent, by);
    world.stats.card.requests++;
    world.note(by, () => `sends ${intent}`);
    const row = this.rowOf(intent);
    const sent = (this.sent.get(intent) ?? 0) + 1;
    this.sent.set(intent, sent);
    const isOlder = row !== undefined && this.isForgotten(row);
    const isConfirmed = row !== undefined && world.database.tables.confirmed.has(row.id);
    // A person's confirmation sends a card-balance payout only where our journal rules out that it
    // was sent.
    if (sent > 1 && (!isConfirmed || row.kind === 'cashout'))
      this.fail('C1', `${intent} is sent ${sent} times`);
    if (row === undefined)
      return world.restoredAt === null
        ? this.fail('I11', `${intent} is on the wire without a row`)
        : undefined;
    const begun = this.claims.get(token);
    if (begun === undefined) this.fail('I11', `${intent} is on the wire without a committed claim`);
    if (now - begun >= LEASE_MS)
      this.fail('S', `${intent} is sent ${Math.round((now - begun) / 1000)} s after its claim`);
    if (this.stoppedSince !== null && now - this.stoppedSince > CHECKED_MS)
      this.fail(
        'K',
        `${intent} is sent ${Math.round((now - this.stoppedSince) / 1000)} s after everything was stopped`,
      );
    checkRequestText(row, path, body);
    world.approvals.covers(row, shownOf(row));
    checkOrderUnchanged(world, row);
    if (isOlder && !isConfirmed)
      this.fail('C5', `${intent} is older than the restore, and leaves without a person's word`);
  }

  /** Repeats the checks that the process itself must pass before its first byte. */
  private mayWrite(intent: string, by: string): void {
    const { otherAccount, folderFails } = this.world.process(by).since;
    const isLong = (since: number | null): boolean =>
      since !== null && this.world.agenda.now - since > CHECKED_MS;
    if (isLong(otherAccount)) this.fail('C5', `${intent} leaves from a process of another account`);
    if (isLong(folderFails))
      this.fail('C5', `${intent} leaves although its checkpoint is not on disk`);
    if (this.world.isUnnoticed)
      this.fail('C5', `${intent} leaves from a restored database before anybody noticed`);
    if (!this.lines.delete(intent))
      this.fail('C5', `${intent} leaves without its line in the journal`);
  }

  /** The journal entry of a send is on disk. */
  journaled(intent: string): void {
    this.lines.add(intent);
  }

  /** A request was provably not carried out: another request of the same intent is allowed. */
  turnedAway(intent: string): void {
    this.world.charges.turnedAway(intent);
    this.sent.set(intent, (this.sent.get(intent) ?? 1) - 1);
  }

  /** Called when the gateway carries out an operation for one of our intents. */
  executed(work: Work): void {
    const { world } = this;
    const { intent } = work;
    world.stats.card.executed++;
    const row = this.rowOf(intent!);
    if (world.gateway.of(intent!).filter(isLive).length > 1)
      this.fail('C1', `${intent} is carried out twice`);
    if (row !== undefined && work.kind !== 'release' && work.amountMinor !== row.amountMinor)
      this.fail('C1', `${intent} is carried out for another amount`);
    if (row === undefined)
      return world.restoredAt === null
        ? this.fail('I11', `${intent} is carried out, and there is no row of it`)
        : undefined;
    if (this.isExcused(row)) return;
    const others = this.liveOf(row.need).filter((one) => one.intent !== intent);
    if (others.length > 0)
      this.fail(
        'I1',
        `what was wanted once is carried out again by ${intent}; ${others[0]!.intent} was it before`,
      );
    if (NOT_DONE.includes(row.state) && !(row.state === 'CANCELLED' && this.isForgotten(row)))
      this.fail('C3', `${intent} is carried out while it is called ${row.state}`);
  }

  private liveOf(need: number): Work[] {
    const intents = new Set(
      [...this.world.database.tables.rows.values()]
        .filter((row) => row.need === need)
        .map((row) => row.extId),
    );
    return this.world.gateway.works.filter(
      (work) => work.intent !== null && intents.has(work.intent) && isLive(work),
    );
  }

  /** The page said that the operation was not done, so that the person may press again. */
  pressedAgain(row: Row): void {
    const isForgotten = row.state === 'CANCELLED' && this.isForgotten(row);
    if (isForgotten) this.excused.add(`need ${row.need}`);
    else if (!this.isExcused(row) && this.world.gateway.of(row.extId).some(isLive))
      this.fail('P', `${row.extId} may be done again while the gateway has done it`);
  }

  /** Whether the gateway's panel, read correctly, shows the operation as carried out. */
  panelShows(row: Row): boolean {
    if (row.kind === 'card_capture' || row.kind === 'card_release') return this.isDone(row);
    return this.world.gateway
      .of(row.extId)
      .some((work) => work.state === 'done' || work.state === 'undone');
  }

  /**
   * Excuses a row about which the latest claims of two people are wrong. A capture and a void are
   * always excused, because one wrong claim is enough there: no rule of ours can prevent that.
   */
  private closed(row: Row): void {
    const latest = new Map(
      (this.world.database.tables.statements.get(row.id) ?? []).map((word) => [
        word.by,
        word.claim !== 'not_done',
      ]),
    );
    const wrong = [...latest.values()].filter((isDone) => isDone !== this.panelShows(row)).length;
    if (wrong > 1 || row.kind === 'card_capture' || row.kind === 'card_release')
      this.excused.add(row.extId).add(`need ${row.need}`);
  }

  /**
   * The network sends a request twice. `isHidden`: the copy is refused, and at first nothing shows
   * that the first request was carried out; that must be found later (end.ts).
   */
  doubled(intent: string, isHidden: boolean): void {
    this.twice.add(intent);
    if (isHidden) this.hide(intent);
    this.world.note('network', () => `says ${intent} twice`);
  }

  /**
   * Called when sending resumes after a restore. Each operation that was carried out must be in the
   * rows as one that may have been sent, or as one that two people called not charged, or be named
   * by the recovery. Without a journal the page says that nothing could be compared.
   */
  everythingIsKnown(named: ReadonlySet<string>): void {
    const { tables } = this.world.database;
    if (tables.recoveries.some((one) => one.isJournalLost)) return;
    const rows = new Map(
      [...tables.rows.values()].map((row) => [row.extId, !NOT_LEFT.includes(row.state)]),
    );
    for (const { id, state, reason } of tables.charges.values())
      rows.set(id, state !== 'QUEUED' && (state !== 'NOT_CHARGED' || reason === 'people_said'));
    for (const { invoiceId, made } of tables.payments.values())
      if (made !== null) rows.set(invoiceId, made.sentAt !== null);
    const executed = [
      ...this.world.gateway.works.filter(isLive).map((work) => work.intent),
      ...this.world.charges.taken(),
    ];
    const unknown = executed.find(
      (intent) =>
        intent !== null &&
        rows.get(intent) !== true &&
        !named.has(intent) &&
        !this.excused.has(intent),
    );
    if (unknown !== undefined)
      this.fail(
        'C7',
        `${unknown} was carried out, and neither the rows nor the recovery know that it left`,
      );
  }

  private hide(intent: string): void {
    this.copies.add(intent);
    this.excused.add(intent);
    const row = this.rowOf(intent);
    if (row !== undefined) this.excused.add(`need ${row.need}`);
  }

  /**
   * Whether the network copied a request: a copy may still be on its way when the first request was
   * refused, and the gateway refuses the copy, too.
   */
  isDoubled(intent: string): boolean {
    return this.twice.has(intent);
  }

  /**
   * Whether another person captured the authorization first. To a void that arrives now the gateway
   * answers 113, "no pre-authorized transaction" (published), so that "failed" is true while the
   * request is still on its way. If the void is carried out after all, `executed` still judges it.
   */
  private isTooLateToRelease({ kind, card }: Row): boolean {
    return (
      kind === 'card_release' &&
      this.world.gateway.orders.get(card!.invoiceId)!.state === 'captured'
    );
  }

  private rowOf(extId: string): Row | undefined {
    for (const row of this.world.database.tables.rows.values()) if (row.extId === extId) return row;
    return undefined;
  }
}

function described(before: Row | null, after: Row): string {
  if (before === null) return `${after.extId}: a new ${after.kind} of ${String(after.amountMinor)}`;
  const changed = (['state', 'returned', 'alert', 'notFoundReads', 'reasonCode'] as const).filter(
    (field) => before[field] !== after[field],
  );
  const changes = changed.map(
    (field) => `${field} ${String(before[field])} → ${String(after[field])}`,
  );
  return `${after.extId}: ${changes.join(', ') || after.state}`;
}
