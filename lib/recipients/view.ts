import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import { USUAL_MIN } from '#lib/payment-checks/history.ts';
import { maskTaxNumber } from '#lib/values/tax-number.ts';
import { accountOf } from './account.ts';
import type { Account } from './account.ts';
import type { LastPaid } from './list.ts';
import { LAST_PAID, PAID_TO } from './movements.ts';

type Done = { at: string; by: string };

/**
 * The payments to one account in one currency. `usual`: 10th to 90th percentile of those that
 * arrived; null with too few payments.
 */
export type Figures = {
  currency: string;
  count: number;
  firstAt: string | null;
  usual: { low: string; high: string } | null;
  returns: number;
};
export type AccountView = Account & {
  id: string;
  /** When the account was entered by hand, by whom, and which account it replaced. */
  changed: (Done & { before: string | null }) | null;
  archived: Done | null;
  /** The currency with most payments first. */
  figures: Figures[];
  last: LastPaid | null;
};

/**
 * A saved recipient with its accounts, active ones first; numbers are masked for people who may not
 * see them whole. Amounts are decimal text, times ISO.
 */
export type RecipientView = {
  id: string;
  name: string;
  nickname: string | null;
  taxNumber: string;
  createdAt: string;
  archived: Done | null;
  accounts: AccountView[];
  now: string;
  can: { edit: boolean; redirect: boolean; pay: boolean };
};

/** Null when this merchant has none with that id. */
export async function viewRecipient(actor: Person, id: string): Promise<RecipientView | null> {
  assertMay(actor, 'movement.read');
  const [[head], accounts, figures] = await Promise.all([
    inOne<Head>(
      actor.merchantId,
      sql`
      SELECT r.id, r.name, r.nickname, r.tax_number, r.created_at, r.archived_at, archiver.name AS archived_by,
        clock_timestamp() AS now
      FROM recipients r LEFT JOIN people archiver ON archiver.id = r.archived_by WHERE r.id = ${id}::uuid`,
    ),
    inOne<AccountRow>(
      actor.merchantId,
      sql`
      SELECT p.id, p.number, p.changed_at, changer.name AS changed_by, p.replaces, p.archived_at,
        archiver.name AS archived_by, last.*
      FROM recipient_payees p LEFT JOIN people changer ON changer.id = p.changed_by
        LEFT JOIN people archiver ON archiver.id = p.archived_by
        LEFT JOIN LATERAL (${LAST_PAID}) last ON TRUE
      WHERE p.recipient_id = ${id}::uuid ORDER BY p.archived_at IS NOT NULL, p.created_at DESC`,
    ),
    inOne<FiguresRow>(
      actor.merchantId,
      sql`
      SELECT p.id, m.currency, count(*) FILTER (WHERE m.returned = 'NONE')::int AS count,
        min(m.created_at) FILTER (WHERE m.returned = 'NONE') AS first_at,
        percentile_disc(0.1) WITHIN GROUP (ORDER BY m.amount_minor) FILTER (WHERE m.returned = 'NONE')
          AS low,
        percentile_disc(0.9) WITHIN GROUP (ORDER BY m.amount_minor) FILTER (WHERE m.returned = 'NONE')
          AS high,
        count(*) FILTER (WHERE m.returned <> 'NONE')::int AS returns
      FROM recipient_payees p JOIN movements m ON ${PAID_TO} WHERE p.recipient_id = ${id}::uuid
        AND m.state = 'COMPLETED'
      GROUP BY p.id, m.currency ORDER BY count DESC, m.currency`,
    ),
  ]);
  return head ? toView(actor, head, accounts, figures) : null;
}

type Head = Row<
  'recipients',
  'id' | 'name' | 'nickname' | 'tax_number' | 'created_at' | 'archived_at'
> & {
  archived_by: string | null;
  now: Date;
};
type AccountRow = Row<
  'recipient_payees',
  'id' | 'number' | 'changed_at' | 'replaces' | 'archived_at'
> & {
  changed_by: string | null;
  archived_by: string | null;
  at: Date | null;
  amount_minor: bigint;
  currency: string;
  state: State;
  returned: Returned;
};
type FiguresRow = Row<'recipient_payees', 'id'> &
  Row<'movements', 'currency'> & {
    count: number;
    first_at: Date | null;
    low: bigint | null;
    high: bigint | null;
    returns: number;
  };

function toView(
  actor: Person,
  head: Head,
  accounts: AccountRow[],
  figures: FiguresRow[],
): RecipientView {
  const whole = may(actor.role, 'payee.read');
  const isArchived = head.archived_at !== null;
  return {
    id: head.id,
    name: head.name,
    nickname: head.nickname,
    taxNumber: whole ? head.tax_number : maskTaxNumber(head.tax_number),
    createdAt: head.created_at.toISOString(),
    now: head.now.toISOString(),
    archived: done(head.archived_at, head.archived_by),
    accounts: accounts.map((row) =>
      toAccount(
        row,
        figures.filter((one) => one.id === row.id),
        whole,
      ),
    ),
    can: {
      edit: may(actor.role, 'recipient.edit'),
      redirect: may(actor.role, 'recipient.redirect') && !isArchived,
      pay: may(actor.role, 'payout.prepare') && !isArchived,
    },
  };
}

function toAccount(row: AccountRow, figures: FiguresRow[], whole: boolean): AccountView {
  const changed = done(row.changed_at, row.changed_by);
  return {
    ...accountOf(row.number, whole),
    id: row.id,
    changed: changed && {
      ...changed,
      before: row.replaces && accountOf(row.replaces, whole).shown,
    },
    archived: done(row.archived_at, row.archived_by),
    figures: figures.map((one) => ({
      currency: one.currency,
      count: one.count,
      firstAt: one.first_at?.toISOString() ?? null,
      returns: one.returns,
      usual:
        one.count < USUAL_MIN || one.low === null || one.high === null
          ? null
          : { low: toDecimal(one.low), high: toDecimal(one.high) },
    })),
    last:
      row.at === null
        ? null
        : {
            amount: toDecimal(row.amount_minor),
            currency: row.currency,
            at: row.at.toISOString(),
            state: row.state,
            returned: row.returned,
          },
  };
}

function done(at: Date | null, by: string | null): Done | null {
  return at && { at: at.toISOString(), by: by ?? '' };
}
