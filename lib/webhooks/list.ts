import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { join, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { maskIban } from '#lib/values/iban.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged } from '#lib/values/keyset.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { CardWebhook } from '#lib/providers/card/webhooks.ts';
import { visibleText } from '#lib/values/foreign-text.ts';
import { decodeWebhook } from '#lib/providers/wallet/webhooks.ts';
import type { Notice } from '#lib/providers/wallet/webhooks.ts';
import type { NoticeHint } from '#lib/providers/wallet/types.ts';
import { isWebhookId } from './filter.ts';
import type { WebhookFilter, WebhookQuery } from './filter.ts';
import type { WebhookEffect } from './receive.ts';

const PAGE_ROWS = 25;
const IBAN = /TR(?:\s?\d){24}/gi;

/**
 * One webhook as it arrived. `hint` is its claimed status, `effect` its effect; `at` is its first
 * arrival.
 */
export type WebhookRow = {
  id: string;
  channel: 'wallet' | 'card';
  at: string;
  lastAt: string;
  /** How often the same body arrived. */
  seen: number;
  extId: string | null;
  hint: NoticeHint | CardWebhook['hint'] | null;
  effect: WebhookEffect | null;
  /** Our own payout, when the webhook names one. */
  payout: { id: string; name: string } | null;
  /** The card payment in our register that the webhook names. */
  cardPayment: { id: string } | null;
};

/** One page of the webhooks, newest first. */
export async function listWebhooks(
  actor: Person,
  { filter, place }: WebhookQuery,
): Promise<Paged<WebhookRow> & { any: boolean }> {
  assertMay(actor, 'notice.read');
  const order = place?.side === 'before' ? sql`ASC` : sql`DESC`;
  return inTransaction(actor.merchantId, async (tx) => {
    const beyond =
      place === null
        ? sql`TRUE`
        : place.side === 'after'
          ? sql`n.id < ${BigInt(place.edge)}`
          : sql`n.id > ${BigInt(place.edge)}`;
    const found = await tx.$queryRaw<RawNotice[]>`
      SELECT ${COLUMNS} FROM ${WITH_SUBJECTS}
      WHERE ${conditionsOf(filter)} AND ${beyond} ORDER BY n.id ${order} LIMIT ${PAGE_ROWS + 1}`;
    const [about] = await tx.$queryRaw<
      [{ any: boolean }]
    >`SELECT EXISTS (SELECT FROM notices) AS any`;
    const page = pageOf(found, place, PAGE_ROWS, (row) => row.id.toString());
    return { ...page, rows: page.rows.map(toRow), any: about.any };
  });
}

export type WebhookView = WebhookRow & {
  /**
   * The webhook's own claims: its topic, its request and transaction, and the bank's message.
   * Nothing of it is believed.
   */
  says: Pick<Notice, 'topic' | 'requestId' | 'transactionId' | 'wallet' | 'reason'> | null;
  /** The same for a card webhook with a valid hash or key; null for any other. */
  saysOfCard: Pick<
    CardWebhook,
    'topic' | 'orderId' | 'planCode' | 'number' | 'uniqueId' | 'witness'
  > | null;
  body: string;
  sha256: string;
  handledAt: string | null;
  can: { replay: boolean };
};

/** One webhook in full; null when there is none with that id. */
export async function viewWebhook(actor: Person, id: string): Promise<WebhookView | null> {
  assertMay(actor, 'notice.read');
  if (!isWebhookId(id)) return null;
  const [raw] = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<(RawNotice & { body: string; sha256: string; handled_at: Date | null })[]>`
    SELECT ${COLUMNS}, n.body, encode(n.body_hash, 'hex') AS sha256, n.handled_at
    FROM ${WITH_SUBJECTS} WHERE n.id = ${BigInt(id)}`,
  );
  if (!raw) return null;
  const read = raw.channel === 'wallet' ? decodeWebhook(raw.body) : null;
  const card = raw.channel === 'card' ? cardClient().readNotice(raw.body) : null;
  const shown = (text: string): string =>
    visibleText(may(actor.role, 'payee.read') ? text : text.replace(IBAN, maskIban));
  return {
    ...toRow(raw),
    body: shown(raw.body),
    sha256: raw.sha256,
    handledAt: raw.handled_at?.toISOString() ?? null,
    can: { replay: may(actor.role, 'notice.replay') },
    says: read && {
      topic: read.topic,
      requestId: read.requestId,
      transactionId: read.transactionId,
      wallet: read.wallet,
      reason: read.reason && shown(read.reason),
    },
    saysOfCard:
      card?.kind === 'notice'
        ? {
            topic: card.topic,
            orderId: card.orderId,
            planCode: card.planCode,
            number: card.number,
            uniqueId: card.uniqueId,
            witness: card.witness,
          }
        : null,
  };
}

/**
 * The addresses to register with the provider. Anybody who knows them can write into the log, so
 * only the owner sees them.
 */
export function webhookAddresses(actor: Person): { channel: 'wallet' | 'card'; address: string }[] {
  assertMay(actor, 'notice.address');
  const { appOrigin, webhookKeys } = env();
  return (['wallet', 'card'] as const).map((channel) => ({
    channel,
    address: `${appOrigin}/api/webhooks/${webhookKeys[0]}/${channel}`,
  }));
}

type RawNotice = {
  id: bigint;
  channel: 'wallet' | 'card';
  first_at: Date;
  last_at: Date;
  seen: number;
  ext_id: string | null;
  hint: NoticeHint | CardWebhook['hint'] | null;
  effect: WebhookEffect | null;
  movement_id: string | null;
  name: string | null;
  card_payment_id: string | null;
};

const COLUMNS = sql`n.id, n.channel, n.first_at, n.last_at, n.seen, n.ext_id, n.hint, n.effect,
  n.movement_id, m.name, c.id AS card_payment_id`;
/** A webhook joined with our movements and payments that it names. */
const WITH_SUBJECTS = sql`notices n LEFT JOIN movements m ON m.id = n.movement_id
  LEFT JOIN card_payments c ON n.channel = 'card' AND c.merchant_id = n.merchant_id
  AND c.invoice_id = n.ext_id`;

function toRow(raw: RawNotice): WebhookRow {
  return {
    id: raw.id.toString(),
    channel: raw.channel,
    at: raw.first_at.toISOString(),
    lastAt: raw.last_at.toISOString(),
    seen: raw.seen,
    extId: raw.ext_id,
    hint: raw.hint,
    effect: raw.effect,
    payout:
      raw.movement_id === null || raw.name === null
        ? null
        : { id: raw.movement_id, name: raw.name },
    cardPayment: raw.card_payment_id === null ? null : { id: raw.card_payment_id },
  };
}

function conditionsOf(filter: WebhookFilter): Prisma.Sql {
  const all: Prisma.Sql[] = [sql`TRUE`];
  if (filter.effect !== null) all.push(sql`n.effect = ${filter.effect}`);
  if (filter.channel !== null) all.push(sql`n.channel = ${filter.channel}`);
  if (filter.reference !== '') all.push(sql`starts_with(upper(n.ext_id), ${filter.reference})`);
  const zone = env().timeZone;
  if (filter.from !== null)
    all.push(
      sql`n.first_at >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`,
    );
  if (filter.to !== null)
    all.push(
      sql`n.first_at < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`,
    );
  return join(all, ' AND ');
}
