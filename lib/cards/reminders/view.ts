import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import {
  CAPTURE_LIFE_MS,
  captureEndsAt,
  HOLD_LIFE_MS,
  lapsesAt,
} from '../payments/authorization.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { audienceOf } from './reminder.ts';

const ROWS_MAX = 200;

/** One authorization that needs action. Times ISO, the amount decimal text. */
export type Reminder = {
  paymentId: string;
  invoiceId: string;
  amount: string | null;
  currency: string;
  /** The last threshold passed. */ hours: number;
  captureEndsAt: string;
  lapsesAt: string;
};

export type Reminders = {
  rows: Reminder[];
  /** Authorizations of unknown age, for which there are no reminders. */ ageUnknown: number;
  /** Authorizations that can no longer be captured here and have not lapsed. */ tooOld: number;
  now: string;
};

/** The reminders of authorizations that can still be captured here. */
export function stillOpen({ rows, now }: Reminders): Reminder[] {
  return rows.filter(({ captureEndsAt }) => captureEndsAt > now);
}

type Open = Row<'card_reminders', 'payment_id' | 'hours'> &
  Row<'card_payments', 'invoice_id' | 'amount_minor' | 'currency'> & { held_since: Date };

/**
 * This person's reminders that are not marked as seen, the nearest end first, one per
 * authorization. Empty for a role that cannot capture.
 */
export async function openReminders(actor: Person): Promise<Reminders> {
  const audience = audienceOf(actor.role);
  const [[about], rows] = await Promise.all([
    inOne<{ unknown: number; too_old: number; now: Date }>(
      actor.merchantId,
      sql`SELECT (SELECT count(*)::int FROM card_payments WHERE state = 'held'
        AND held_since IS NULL) AS unknown,
        (SELECT count(*)::int FROM card_payments WHERE state = 'held'
        AND held_since <= clock_timestamp() - make_interval(secs => ${CAPTURE_LIFE_MS / 1_000})
        AND held_since > clock_timestamp() - make_interval(secs => ${HOLD_LIFE_MS / 1_000})) AS too_old,
        clock_timestamp() AS now`,
    ),
    audience === null
      ? []
      : inOne<Open>(
          actor.merchantId,
          sql`
      SELECT open.payment_id, open.invoice_id, open.amount_minor, open.currency, open.hours,
        open.held_since FROM (
        SELECT DISTINCT ON (r.payment_id) r.payment_id, p.invoice_id, p.amount_minor, p.currency,
          r.hours, p.held_since
        FROM card_reminders r JOIN card_payments p ON p.id = r.payment_id
        WHERE r.audience = ${audience} AND r.seen_at IS NULL AND p.state = 'held'
          AND p.held_since > clock_timestamp() - make_interval(secs => ${HOLD_LIFE_MS / 1_000})
        ORDER BY r.payment_id, r.hours) open
      ORDER BY open.held_since, open.payment_id LIMIT ${ROWS_MAX}`,
        ),
  ]);
  return {
    rows: rows.map((raw) => ({
      paymentId: raw.payment_id,
      invoiceId: raw.invoice_id,
      amount: raw.amount_minor === null ? null : toDecimal(raw.amount_minor),
      currency: raw.currency,
      hours: raw.hours,
      captureEndsAt: new Date(captureEndsAt(raw.held_since.getTime())).toISOString(),
      lapsesAt: new Date(lapsesAt(raw.held_since.getTime())).toISOString(),
    })),
    ageUnknown: audience === null ? 0 : about!.unknown,
    tooOld: audience === null ? 0 : about!.too_old,
    now: about!.now.toISOString(),
  };
}
