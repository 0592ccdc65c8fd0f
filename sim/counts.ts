import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';
import type { Change, Row } from './store.ts';
import { DAY, MINUTE } from './time.ts';
import { Violation } from './violation.ts';

/**
 * Counts for each intent, apart from the product, how often it was sent, was not sent, was refused
 * by the one-minute rule and was not found, and which alert it may have. Compares the counts after
 * every committed transaction.
 */

const NOT_SENT_MANY = 5;
const WAITS_MANY = 6;
const WEEK_MS = 7 * DAY;
const OPEN: readonly string[] = ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'];
/** No other alert replaces one of these, and no response clears them. */
const LASTING: readonly string[] = ['contradiction', 'mismatch', 'return_amount_differs'];
const SETTLED: readonly string[] = [
  'PENDING',
  'MANUAL_REVIEW',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
];

/**
 * `unclearAt`: when the first send began whose outcome became unknown. `openAt`: since when the
 * intent has waited for its outcome.
 */
type Count = {
  sends: number;
  notSent: number;
  waits: number;
  notFound: number;
  claimedAt: number;
  unclearAt: number | null;
  openAt: number | null;
};

export class Counts {
  private readonly counts = new Map<string, Count>();

  committed(change: Change): void {
    for (const { before, after } of change.rows) {
      if (before === null) continue;
      const count = this.counted(change, before, after);
      this.compare(count, after);
      this.alerts(count, before, after, change);
    }
  }

  /**
   * The rows became those of an earlier copy: they start again with the counts that the copy holds.
   */
  restored(rows: Iterable<Row>): void {
    this.counts.clear();
    for (const row of rows) {
      this.counts.set(row.id, {
        sends: row.sends,
        notSent: row.notSentTries,
        waits: row.ibanWaits,
        notFound: row.notFoundReads,
        claimedAt: row.lastSendAt ?? row.createdAt,
        unclearAt: row.unclearSince,
        openAt: OPEN.includes(row.state) ? (row.watchSince ?? row.stateSince) : null,
      });
    }
  }

  private counted({ name, at, token }: Change, before: Row, after: Row): Count {
    const count = this.counts.get(after.id) ?? {
      sends: 0,
      notSent: 0,
      waits: 0,
      notFound: 0,
      claimedAt: at,
      unclearAt: null,
      openAt: null,
    };
    this.counts.set(after.id, count);
    const held = token !== null && before.leaseToken === token;
    const answered = held && before.state === 'SUBMITTING';
    if (after.state === 'SUBMITTING' && before.state !== 'SUBMITTING') {
      count.sends++;
      count.notFound = 0;
      count.claimedAt = at;
    }
    // A send that the restored database did not hold is recorded as unknown, in one transaction.
    if (before.state === 'APPROVED' && after.sends > before.sends && after.state !== 'SUBMITTING') {
      count.sends++;
      count.notFound = 0;
      count.claimedAt = at;
      count.unclearAt ??= at;
    }
    if (answered && /answer (not_sent|unauthorized)$/.test(name)) count.notSent++;
    if (answered && name.endsWith('answer same_iban_wait') && !before.everAmbiguous) count.waits++;
    if (held && name.endsWith('read not_found') && (before.leaseUntil ?? 0) > at) count.notFound++;
    if (name === 'notice' || (after.state === 'UNKNOWN' && before.state !== 'UNKNOWN'))
      count.notFound = 0;
    // The record of an earlier request ended without a payment, and a later request may still
    // arrive: the count of checks that found nothing starts again.
    if (name.endsWith('read found') && after.state === before.state && after.notFoundReads === 0)
      count.notFound = 0;
    if (after.state === 'UNKNOWN') count.unclearAt ??= count.claimedAt;
    if (!OPEN.includes(after.state)) count.openAt = null;
    else if (!OPEN.includes(before.state)) count.openAt = at;
    return count;
  }

  private compare(count: Count, after: Row): void {
    const pairs = [
      ['sends', after.sends, count.sends],
      ['tries not sent', after.notSentTries, count.notSent],
      ['waits for the minute', after.ibanWaits, count.waits],
      ['reads not found', after.notFoundReads, count.notFound],
    ] as const;
    for (const [what, stored, counted] of pairs)
      if (stored !== counted)
        throw new Violation(
          'E',
          `${after.extId} has ${stored} ${what} stored, ${counted} happened`,
        );
    if ((after.unclearSince ?? null) !== count.unclearAt)
      throw new Violation(
        'E',
        `${after.extId} is unclear since ${String(after.unclearSince)}, the first unclear ` +
          `send began at ${String(count.unclearAt)}`,
      );
  }

  private alerts(count: Count, before: Row, after: Row, { at, name }: Change): void {
    const { alert, extId } = after;
    const raised = alert === before.alert ? null : alert;
    const wrong = (what: string): never => {
      throw new Violation('E', `${extId}: ${what} (${name})`);
    };
    if (
      before.alert !== null &&
      LASTING.includes(before.alert) &&
      (alert === null || !LASTING.includes(alert))
    ) {
      if (!after.state.startsWith('FAILED') || before.state !== 'UNKNOWN')
        wrong(`${before.alert} gave way to ${alert ?? 'nothing'}`);
    }
    if (
      raised === 'provider_unreachable' &&
      (after.state !== 'APPROVED' || (count.notSent < NOT_SENT_MANY && !isUnread(after, at)))
    )
      wrong(`called unreachable after ${count.notSent} tries`);
    if (raised === 'iban_wait_exhausted' && count.waits < WAITS_MANY)
      wrong(`given up after ${count.waits} waits`);
    if (
      raised === 'unknown_too_long' &&
      (after.state !== 'UNKNOWN' || at - (count.unclearAt ?? at) <= DAY)
    )
      wrong('called unknown for too long too early');
    if (raised === 'not_seen_for_a_week' && (count.openAt === null || at - count.openAt < WEEK_MS))
      wrong('called unseen for a week too early');
    if (alert !== null || !weighed(name)) return;
    if (after.state === 'APPROVED' && count.notSent >= NOT_SENT_MANY)
      wrong(`nobody is told after ${count.notSent} tries`);
    if (after.state === 'APPROVED' && count.waits >= WAITS_MANY && before.state === 'SUBMITTING')
      wrong(`nobody is told after ${count.waits} waits`);
    if (after.state === 'UNKNOWN' && at - (count.unclearAt ?? at) > DAY)
      wrong('nobody is told that it is unknown for a day');
    if (SETTLED.includes(after.state) && before.alert === 'contradiction')
      wrong('a contradiction is forgotten');
  }
}

/** Whether this transaction recorded evidence: alerts are decided only then. */
function weighed(name: string): boolean {
  return / record |: record|notice$/.test(name);
}

/**
 * Whether the record of a send that the one-minute rule refused could not be read for two minutes
 * after the minute.
 */
function isUnread({ ibanWaits, lastSendAt, lastReadAt }: Row, at: number): boolean {
  return (
    ibanWaits > 0 &&
    lastSendAt !== null &&
    (lastReadAt ?? 0) < lastSendAt &&
    at - lastSendAt >= IBAN_COOLDOWN_MS + 2 * MINUTE
  );
}
