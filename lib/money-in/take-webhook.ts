import 'server-only';
import { createHash } from 'node:crypto';
import { audit } from '#lib/audit/append.ts';
import { addDays, dayIn } from '#lib/values/dates.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { storableFields } from '#lib/runtime/stored-text.ts';
import { readFailedTopUp, readTopUp } from '#lib/providers/wallet/top-ups.ts';
import type { FailedTopUpNotice } from '#lib/providers/wallet/top-ups.ts';
import { kindOf } from './kind.ts';

/**
 * The minimum interval between expedited ledger queries, whatever the number of webhooks: anybody
 * with the endpoint's address can send as many as they like.
 */
const ASKED_APART_SECONDS = 10;
/**
 * An entry from just before midnight may be announced after it (`contract`: listed up to 20 minutes
 * late).
 */
const LATE_MS = 20 * 60_000;

/**
 * The effect of a webhook about incoming money. It is not believed: an announced top-up expedites a
 * ledger query, a failed one opens a case.
 */
export type MoneyInEffect = { effect: 'asked_ledger' | 'desk'; id: string };

/**
 * Handles a webhook about incoming money; returns null for any other webhook. The caller has stored
 * the webhook and holds its row's lock. Also called for a repeat of a failed top-up. `isReplay`: a
 * person repeats it, and nothing has arrived.
 */
export async function takeMoneyIn(
  tx: Tx,
  merchantId: string,
  { noticeId, body, isReplay }: { noticeId: bigint; body: string; isReplay: boolean },
): Promise<MoneyInEffect | null> {
  const announced = readTopUp(body);
  if (announced !== null) {
    const topUp = storableFields(announced);
    const id = topUp.transactionId ?? `notice:${noticeId}`;
    // The first announcement of an id stays: a later one is a repeat or a forgery.
    await tx.$executeRaw`
      INSERT INTO announced_top_ups (merchant_id, id, notice_id, wallet, announced_minor, currency,
        sender_name, sender_iban, sender_bank, description, bank_receipt_no, announced_at)
      VALUES (${merchantId}::uuid, ${id}, ${noticeId}, ${topUp.wallet}, ${topUp.announcedMinor},
        ${topUp.currency}, ${topUp.senderName}, ${topUp.senderIban}, ${topUp.senderBank},
        ${topUp.description}, ${topUp.bankReceiptNo}, clock_timestamp()) ON CONFLICT DO NOTHING`;
    await expediteLedger(tx, merchantId);
    return { effect: 'asked_ledger', id };
  }
  const failed = readFailedTopUp(body);
  if (failed === null) return null;
  const given = { noticeId, isReplay };
  return { effect: 'desk', id: await openCase(tx, merchantId, given, storableFields(failed)) };
}

/**
 * Makes today's ledger reading due now, and yesterday's where the entry may belong to it; at most
 * once in ten seconds, however many requests there are.
 */
async function expediteLedger(tx: Tx, merchantId: string): Promise<void> {
  const zone = env().timeZone;
  const dayBefore = (ms: number): string => dayIn(new Date(Date.now() - ms).toISOString(), zone);
  const [now, before] = [dayBefore(0), dayBefore(LATE_MS)];
  const days = now === before ? [now] : [addDays(now, -1), now];
  await tx.$executeRaw`
    INSERT INTO record_days (merchant_id, list, day, next_at) SELECT ${merchantId}::uuid, 'ledger',
      day::date, clock_timestamp() FROM unnest(${days}::text[]) AS day
    ON CONFLICT (merchant_id, list, day) DO UPDATE
      SET next_at
      = least(record_days.next_at,
      greatest(clock_timestamp(), record_days.read_at + make_interval(secs => ${ASKED_APART_SECONDS})))`;
  await tx.$executeRaw`SELECT pg_notify('due', '')`;
}

/**
 * The same code, wallet, amount and description are one case: the webhook has no id, so a repeat
 * and a second attempt of the sender cannot be distinguished, and both are counted. A replay is neither:
 * it leaves the case that is there as it is.
 */
async function openCase(
  tx: Tx,
  merchantId: string,
  { noticeId, isReplay }: { noticeId: bigint; isReplay: boolean },
  notice: FailedTopUpNotice,
): Promise<string> {
  const named = [notice.wallet, notice.announcedMinor, notice.currency, notice.description];
  // A webhook that names nothing is identified by its whole text.
  const facts = [
    notice.code,
    ...named.map((fact) => fact?.toString() ?? null),
    ...(named.every((fact) => fact === null) ? [notice.message] : []),
  ];
  const fingerprint = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  const [known] = await tx.$queryRaw<
    Row<'failed_top_ups', 'id' | 'state'>[]
  >`SELECT id, state FROM failed_top_ups WHERE fingerprint = ${fingerprint} FOR UPDATE`;
  if (isReplay && known !== undefined) return known.id;
  const [row] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO failed_top_ups AS c (merchant_id, fingerprint, notice_id, kind, code, message,
      wallet, announced_minor, currency, description)
    VALUES (${merchantId}::uuid, ${fingerprint}, ${noticeId}, ${kindOf(notice.reason, notice.message)},
      ${notice.code}, ${notice.message}, ${notice.wallet}, ${notice.announcedMinor}, ${notice.currency},
      ${notice.description})
    ON CONFLICT (merchant_id, fingerprint) DO UPDATE
      SET seen = c.seen + 1, last_at = clock_timestamp(), notice_id = excluded.notice_id,
      message = excluded.message,
      opened_at = CASE WHEN c.state = 'OPEN' THEN c.opened_at ELSE clock_timestamp() END,
        reopened = c.reopened + (c.state <> 'OPEN')::int,
      state = 'OPEN', closed_at = NULL, record_id = NULL
    RETURNING id`;
  // Reopening keeps the note of the last closing, so that people can still read it.
  if (known !== undefined && known.state !== 'OPEN')
    await audit(tx, { kind: 'provider', merchantId }, 'top_up.reopened', `topup:${row.id}`);
  return row.id;
}
