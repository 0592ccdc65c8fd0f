import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { records } from '#lib/runtime/db.ts';
import type { Prisma, Records } from '#lib/runtime/db.ts';
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
import { isWebhookId, WEBHOOK_EFFECTS } from './filter.ts';
import type { WebhookFilter, WebhookQuery } from './filter.ts';
import type { WebhookEffect } from './receive.ts';

const PAGE_ROWS = 25;
const HINTS = [
  'completed',
  'rejected',
  'manual',
  'refunded',
  'unknown',
  'succeeded',
  'failed',
  'charged_back',
  'came_back',
] as const satisfies readonly (NoticeHint | CardWebhook['hint'])[];
/** A webhook of incoming money names no status; its effect says which kind it is. */
const MONEY_IN = { asked_ledger: 'top_up', desk: 'failed_top_up' } as const;
const IBAN = /TR(?:\s?\d){24}/gi;

type Claim = NoticeHint | CardWebhook['hint'] | (typeof MONEY_IN)[keyof typeof MONEY_IN];

/**
 * One webhook as it arrived. `hint` is its claimed status, or the kind of incoming money it
 * reports; `effect` its effect; `at` is its first arrival.
 */
export type WebhookRow = {
  id: string;
  channel: 'wallet' | 'card';
  at: string;
  lastAt: string;
  /** How often the same body arrived. */
  seen: number;
  extId: string | null;
  hint: Claim | null;
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
  const db = await records(actor.merchantId);
  const beyond =
    place === null ? {} : { id: { [place.side === 'after' ? 'lt' : 'gt']: BigInt(place.edge) } };
  const found = await db.notice.findMany({
    select: IN_LIST,
    where: { ...conditionsOf(filter), ...beyond },
    orderBy: { id: place?.side === 'before' ? 'asc' : 'desc' },
    take: PAGE_ROWS + 1,
  });
  const any = found.length > 0 || (await db.notice.findFirst({ select: { id: true } })) !== null;
  const page = pageOf(found, place, PAGE_ROWS, (row) => row.id.toString());
  const payments = await cardPaymentsOf(db, page.rows);
  return { ...page, rows: page.rows.map((row) => toRow(row, payments)), any };
}

export type WebhookView = WebhookRow & {
  /**
   * The webhook's own claims: its topic, its request and transaction, and the bank's message.
   * Nothing of it is believed.
   */
  says: Pick<Notice, 'topic' | 'requestId' | 'transactionId' | 'wallet' | 'reason'> | null;
  /** The claims of a card webhook with a valid hash or key; null for any other webhook. */
  saysOfCard: Pick<
    CardWebhook,
    'topic' | 'orderId' | 'planCode' | 'number' | 'uniqueId' | 'proof'
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
  const db = await records(actor.merchantId);
  const raw = await db.notice.findFirst({
    select: { ...IN_LIST, body: true, bodyHash: true, handledAt: true },
    where: { id: BigInt(id) },
  });
  if (!raw) return null;
  const read = raw.channel === 'wallet' ? decodeWebhook(raw.body) : null;
  const card = raw.channel === 'card' ? cardClient().readNotice(raw.body) : null;
  const shown = (text: string): string =>
    visibleText(may(actor.role, 'payee.read') ? text : text.replace(IBAN, maskIban));
  return {
    ...toRow(raw, await cardPaymentsOf(db, [raw])),
    body: shown(raw.body),
    sha256: Buffer.from(raw.bodyHash).toString('hex'),
    handledAt: raw.handledAt?.toISOString() ?? null,
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
            proof: card.proof,
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

const IN_LIST = {
  id: true,
  channel: true,
  firstAt: true,
  lastAt: true,
  seen: true,
  extId: true,
  hint: true,
  effect: true,
  movement: { select: { id: true, name: true } },
} as const satisfies Prisma.NoticeSelect;
type Stored = Prisma.NoticeGetPayload<{ select: typeof IN_LIST }>;

/** The ids of the card payments in our register that `notices` name, by invoice number. */
async function cardPaymentsOf(
  { cardPayment }: Records,
  notices: readonly Stored[],
): Promise<ReadonlyMap<string, string>> {
  const named = notices.flatMap(({ channel, extId }) =>
    channel === 'card' && extId !== null ? [extId] : [],
  );
  if (named.length === 0) return new Map();
  const known = await cardPayment.findMany({
    select: { id: true, invoiceId: true },
    where: { invoiceId: { in: named } },
  });
  return new Map(known.map(({ id, invoiceId }) => [invoiceId, id]));
}

function toRow(stored: Stored, payments: ReadonlyMap<string, string>): WebhookRow {
  const channel = stored.channel === 'card' ? 'card' : 'wallet';
  const payment = channel === 'card' ? payments.get(stored.extId ?? '') : undefined;
  const effect = WEBHOOK_EFFECTS.find((one) => one === stored.effect) ?? null;
  return {
    id: stored.id.toString(),
    channel,
    at: stored.firstAt.toISOString(),
    lastAt: stored.lastAt.toISOString(),
    seen: stored.seen,
    extId: stored.extId,
    hint: claimOf(stored.hint, effect),
    effect,
    payout: stored.movement,
    cardPayment: payment === undefined ? null : { id: payment },
  };
}

function claimOf(hint: string | null, effect: WebhookEffect | null): Claim | null {
  if (effect === 'asked_ledger' || effect === 'desk') return MONEY_IN[effect];
  return HINTS.find((one) => one === hint) ?? null;
}

function conditionsOf({
  effect,
  channel,
  reference,
  from,
  to,
}: WebhookFilter): Prisma.NoticeWhereInput {
  const zone = env().timeZone;
  return {
    ...(effect === null ? {} : { effect }),
    ...(channel === null ? {} : { channel }),
    // Prisma Client makes a pattern of the reference, in which `_` stands for any character.
    ...(reference === ''
      ? {}
      : { extId: { startsWith: reference.replaceAll('_', '\\_'), mode: 'insensitive' } }),
    firstAt: {
      ...(from === null ? {} : { gte: daysRange({ from, to: from }, zone).from }),
      ...(to === null ? {} : { lt: daysRange({ from: to, to }, zone).to }),
    },
  };
}
