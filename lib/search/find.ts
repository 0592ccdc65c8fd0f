import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
import { maskIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import { IS_CARD_OPERATION, IS_TO_BANK } from '#lib/movements/kind-sql.ts';
import { maskWallet } from '#lib/values/mask-wallet.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';
import { CAME_IN } from '#lib/provider-records/direction.ts';
import {
  failedTopUpFits,
  ledgerKeys,
  movementKeys,
  noticeKeys,
  recipientKeys,
  withdrawalKeys,
} from '#lib/readings/lookups.ts';
import { cardColumns, cardKeys, shownCards } from './find-cards.ts';
import type { CardAnswer, FoundCards } from './find-cards.ts';
import { group, rows } from './groups.ts';
import type { Group } from './groups.ts';
import { wordsOf } from '#lib/readings/understand.ts';
import type { Reading } from '#lib/readings/understand.ts';

/**
 * Amounts are decimal text, times ISO; an IBAN, and a payee's wallet number, is masked for people
 * who may not see it whole.
 */
export type MovementHit = {
  id: string;
  name: string;
  /** Whom it pays: an IBAN, or the number of a wallet. */ to: string;
  extId: string;
  amount: string;
  currency: string;
  state: State;
  returned: Returned;
  alert: Alert | null;
  at: string;
};
/** `number` is the most recently paid account. */
export type RecipientHit = { id: string; name: string; number: string | null; at: string };
/** `movement`: the payout or transfer that it proves, if one was found. */
export type ReceiptHit = {
  id: string;
  name: string;
  amount: string;
  currency: string;
  at: string;
  movement: string | null;
};
export type WalletHit = { number: string; name: string; currency: string };
export type LedgerHit = {
  id: string;
  type: string | null;
  direction: 'in' | 'out';
  amount: string;
  currency: string;
  sender: string | null;
  iban: string | null;
  description: string | null;
  extId: string | null;
  at: string;
};
export type WithdrawalHit = {
  id: string;
  name: string | null;
  iban: string | null;
  extId: string | null;
  amount: string;
  currency: string;
  level: string;
  at: string;
};
/** Incoming money that could not be loaded; the amount is the announced one. */
export type FailedTopUpHit = {
  id: string;
  wallet: string | null;
  description: string | null;
  amount: string | null;
  currency: string | null;
  at: string;
};
export type NoticeHit = { id: string; extId: string | null; at: string };

/**
 * The results from our own database. A group that the person's role may not see is empty, as if
 * there were no match.
 */
export type Found = FoundCards & {
  payouts: Group<MovementHit>;
  transfers: Group<MovementHit>;
  recipients: Group<RecipientHit>;
  receipts: Group<ReceiptHit>;
  wallets: Group<WalletHit>;
  ledger: OfDays<LedgerHit>;
  withdrawals: OfDays<WithdrawalHit>;
  failedTopUps: Group<FailedTopUpHit>;
  notices: Group<NoticeHit>;
};

/** `oldest`: when the oldest match was created, which is among those that are not shown. */
type OfDays<T> = Group<T> & { oldest: string | null };

/**
 * Searches our own records and the mirror of the provider's for these readings. One statement, each
 * lookup by an index, because it runs while a person types. Each group is sorted newest first, for
 * names and numbers alike.
 */
export async function findHere(actor: Person, readings: readonly Reading[]): Promise<Found> {
  assertMay(actor, 'movement.read');
  const [row] = await inOne<Answer>(actor.merchantId, hereStatement(actor, readings));
  const whole = may(actor.role, 'payee.read');
  const masked = (text: string | null): string | null =>
    text === null || whole ? text : text.startsWith('TR') ? maskIban(text) : maskWallet(text);
  const movement = (one: FoundMovement): MovementHit => ({
    id: one.id,
    name: one.name,
    to: masked(one.to) ?? '',
    extId: one.ext_id,
    amount: amount(one),
    currency: one.currency,
    state: one.state,
    returned: one.returned,
    alert: one.alert,
    at: time(one),
  });
  const ofProvider = <T extends FoundRecord>({ ext_id: extId, ...one }: T) => ({
    ...one,
    extId,
    iban: masked(one.iban),
    amount: amount(one),
    at: time(one),
  });
  return {
    payouts: group(row!.payouts, movement),
    transfers: group(row!.transfers, movement),
    recipients: group(row!.recipients, (one) => ({
      ...one,
      number: masked(one.number),
      at: time(one),
    })),
    receipts: group(may(actor.role, 'receipt.read') ? row!.receipts : [], (one) => ({
      id: one.id,
      name: one.name,
      amount: amount(one),
      currency: one.currency,
      at: time(one),
      movement: one.movement,
    })),
    wallets: group(
      may(actor.role, 'wallet.read')
        ? row!.wallets.filter((one) => readings.some((reading) => isWallet(one, reading)))
        : [],
      ({ number, name, currency }) => ({ number, name, currency }),
    ),
    ledger: { ...group(row!.ledger, ofProvider), oldest: instant(row!.oldest_line) },
    withdrawals: { ...group(row!.withdrawals, ofProvider), oldest: instant(row!.oldest_request) },
    failedTopUps: group(row!.failed, (one) => ({
      ...one,
      amount: one.amount === null ? null : toDecimal(BigInt(one.amount)),
      at: time(one),
    })),
    ...shownCards(row!),
    notices: group(row!.notices, (one) => ({ id: one.id, extId: one.ext_id, at: time(one) })),
  };
}

const LINE = columns('ledger_records', [
  'id',
  'type',
  'amount_minor',
  'currency',
  'sender_name',
  'sender_iban',
  'description',
  'to_description',
  'ext_id',
  'created_at',
]);

const REQUEST = columns('withdraw_records', [
  'request_id',
  'name',
  'iban',
  'ext_id',
  'amount_minor',
  'currency',
  'level',
  'created_at',
]);

/** The whole search as one statement. */
export function hereStatement(actor: Person, readings: readonly Reading[]): Prisma.Sql {
  return sql`
    WITH ids(key) AS MATERIALIZED (${movementKeys(actor, readings)}),
    ${cardKeys(readings)},
    found AS MATERIALIZED (
      SELECT m.id, m.kind, m.name, coalesce(m.to_wallet, m.iban) AS to, m.ext_id,
        m.amount_minor::text AS amount, m.currency, m.state, m.returned, m.alert, m.created_at AS at
      FROM movements m WHERE m.id IN (SELECT key FROM ids) AND NOT ${IS_CARD_OPERATION}),
    lines AS MATERIALIZED (SELECT ${LINE.of('l')}, CASE WHEN ${CAME_IN} THEN 'in' ELSE 'out' END AS direction
      FROM ledger_records l WHERE l.id IN (${ledgerKeys(readings)})),
    requests AS MATERIALIZED (SELECT ${REQUEST} FROM withdraw_records
      WHERE request_id IN (${withdrawalKeys(actor, readings)}))
    SELECT
      ${rows(sql`SELECT * FROM found m WHERE ${IS_TO_BANK} ORDER BY at DESC, id`)} AS
      payouts,
      ${rows(sql`SELECT * FROM found m WHERE NOT ${IS_TO_BANK} ORDER BY at DESC, id`)}
        AS transfers,
      ${rows(sql`
        SELECT r.id, f.name, f.amount, f.currency, r.paid_at AS at, f.id AS movement
          FROM found f JOIN receipts r ON r.movement_id = f.id WHERE r.state = 'READY'
        UNION ALL
        SELECT r.id, coalesce(l.sender_name, l.description, l.id), l.amount_minor::text, l.currency,
            r.paid_at, NULL
          FROM lines l JOIN receipts r ON r.record_id = l.id WHERE r.state = 'READY'
        ORDER BY at DESC, id`)}
        AS receipts,
      ${rows(sql`
        SELECT r.id, r.name,
          (SELECT number FROM recipient_payees WHERE recipient_id = r.id AND archived_at IS NULL
            ORDER BY created_at DESC LIMIT 1) AS number, r.used_at AS at
        FROM recipients r WHERE r.id IN (${recipientKeys(actor, readings)})
        ORDER BY r.used_at DESC, r.id`)}
        AS recipients,
      ${rows(sql`
        SELECT id, type, direction, amount_minor::text AS amount, currency, sender_name AS sender,
          sender_iban AS iban, coalesce(description, to_description) AS description, ext_id,
          created_at AS at
        FROM lines ORDER BY created_at DESC, id`)}
        AS ledger,
      ${rows(sql`
        SELECT request_id AS id, name, iban, ext_id, amount_minor::text AS amount, currency, level,
          created_at AS at
        FROM requests ORDER BY created_at DESC, request_id`)}
        AS withdrawals,
      (SELECT min(created_at) FROM lines) AS oldest_line,
      (SELECT min(created_at) FROM requests) AS oldest_request,
      ${
        may(actor.role, 'wallet.read')
          ? rows(sql`
        SELECT id, wallet, description, announced_minor::text AS amount, currency, opened_at AS at
        FROM failed_top_ups WHERE ${failedTopUpFits(readings)} ORDER BY opened_at DESC, id`)
          : sql`'[]'::jsonb`
      }
        AS failed,
      ${
        may(actor.role, 'notice.read')
          ? rows(sql`
        SELECT id::text, ext_id, first_at AS at FROM notices
        WHERE id IN (${noticeKeys(readings)}) ORDER BY notices.id DESC`)
          : sql`'[]'::jsonb`
      }
        AS notices,
      ${cardColumns(actor, readings)},
      (SELECT
        coalesce(jsonb_agg(jsonb_build_object('number', number, 'name', record ->> 'name',
        'currency', record ->> 'currency', 'iban', record ->> 'iban') ORDER BY number), '[]')
        FROM wallet_snapshots) AS wallets`;
}

type FoundMovement = Row<
  'movements',
  'id' | 'name' | 'ext_id' | 'currency' | 'state' | 'returned' | 'alert',
  { state: State; returned: Returned; alert: Alert | null }
> & { to: string; amount: string; at: string };
type FoundRecord = { ext_id: string | null; iban: string | null; amount: string; at: string };
type FoundWallet = WalletHit & { iban: string | null };
type Answer = CardAnswer & {
  payouts: FoundMovement[];
  transfers: FoundMovement[];
  recipients: RecipientHit[];
  receipts: ReceiptHit[];
  failed: FailedTopUpHit[];
  wallets: FoundWallet[];
  notices: { id: string; ext_id: string | null; at: string }[];
  ledger: (Omit<LedgerHit, 'extId'> & { ext_id: string | null })[];
  withdrawals: (Omit<WithdrawalHit, 'extId'> & { ext_id: string | null })[];
  oldest_line: Date | null;
  oldest_request: Date | null;
};

function amount(one: { amount: string }): string {
  return toDecimal(BigInt(one.amount));
}

function instant(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

function time(one: { at: string }): string {
  return new Date(one.at).toISOString();
}

/**
 * Whether a wallet fits a reading. There are a few dozen wallets at most, so they are filtered in
 * memory.
 */
function isWallet(wallet: FoundWallet, reading: Reading): boolean {
  if (reading.kind === 'wallet') return wallet.number.startsWith(reading.number);
  if (reading.kind === 'iban') return wallet.iban === reading.iban;
  if (reading.kind !== 'name') return false;
  const words = wordsOf(wallet.name);
  return reading.words.every((wanted) => words.some((word) => word.startsWith(wanted)));
}
