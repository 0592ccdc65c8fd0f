import 'server-only';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import { createFaultLog } from '#lib/runtime/fault-log.ts';
import { log } from '#lib/runtime/log.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { record } from '#lib/movements/evidence.ts';
import { publish } from '#lib/live/publish.ts';
import { earlier, HINT_GUARD_MS, expeditedTo } from '#lib/movements/claim-rules.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import { takeCardWebhook } from '#lib/cards/payments/take-webhook.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { CardWebhook } from '#lib/providers/card/webhooks.ts';
import { decodeWebhook } from '#lib/providers/wallet/webhooks.ts';
import { countAttempt, countWithin } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { takeMoneyIn } from '#lib/money-in/take-webhook.ts';
import type { MoneyInEffect } from '#lib/money-in/take-webhook.ts';
import { publishLater } from '#lib/live/publish-later.ts';
import { giveWay } from './give-way.ts';
import { store } from './store.ts';

type Notice = ReturnType<typeof decodeWebhook>;

/**
 * Webhooks may expedite this many reads in a window of some seconds; beyond it they are stored, and
 * the regular polls find the state. The window is short, so that a burst does not occupy workers and
 * provider with the reads of a whole minute.
 */
const PULLS_MAX = 50;
const PULLS_WINDOW_SECONDS = 5;
/**
 * How many webhooks about something of ours are handled at once. Storing has connections of its own
 * beside these, so that a burst about payouts does not keep others from being acknowledged. Four at
 * once handle no more of them in a second than two, and slow pages more (docs/performance.md).
 */
const HANDLED_AT_ONCE = 2;
/** With so many in line, a webhook is answered before it is handled. */
const LINE_MAX = 8;
const LEFT_AT_ONCE = 100;
/** What a burst left rests so many times as long as it works: nobody waits for it. */
const LEFT_RESTS = 3;
const REST_MAX_MS = 100;

/**
 * The effect of a webhook. Never a change of state by itself: a read of the provider decides
 * (docs/money-rules.md, "The principles").
 */
export type WebhookEffect =
  | MoneyInEffect['effect']
  | 'asked_provider'
  | 'nothing_to_ask'
  | 'no_such_payout'
  | 'not_understood'
  | 'other_topic'
  | 'kept_only';

/**
 * Stores a webhook as it arrived, once per body, and expedites the next read of the payout it
 * names, or of the day's ledger when it reports incoming money. Its content is used only to find
 * our own reference; nothing of it is copied into a money field (docs/money-rules.md, I14).
 */
export async function receiveWebhook(
  merchantId: string,
  channel: 'wallet' | 'card',
  body: string,
): Promise<void> {
  const shown = body.replaceAll('\u0000', '');
  const { notice, card, reference, hint, effect } = read(channel, shown);
  const moneyIn = notice?.topic === 'top_up' || notice?.topic === 'failed_top_up';
  // Every repeat of a failed top-up is handled, because it may be a second attempt of the sender.
  const always = notice?.topic === 'failed_top_up';
  const { id, waits } = await store(merchantId, {
    channel,
    bodyHash: createHash('sha256').update(body).digest(),
    body: shown,
    reference,
    ours: notice === null ? null : reference,
    hint,
    effect,
    concernsUs: moneyIn || card !== null,
  });
  // The webhook is not handled yet: it is the first with its body, or the process crashed between
  // storing and handling it.
  const topUp =
    waits || always ? await handleOrLeave(merchantId, { id, channel, shown, always }) : null;
  publishLater(merchantId, { kind: 'notice', id: id.toString() });
  if (topUp !== null) publishLater(merchantId, { kind: 'top_up', id: topUp.id });
}

/**
 * Handles a stored webhook. In a burst, when many others are in line before it, it is left to
 * `handleLeft`, so that its sender has the answer as soon as it is stored.
 */
async function handleOrLeave(merchantId: string, one: HandledOnce): Promise<MoneyInEffect | null> {
  // `handleLeft` would not find a repeat of a failed top-up, which is handled already.
  if (inLine.length < LINE_MAX || one.always) return handleStored(merchantId, one);
  void handleLeft(merchantId);
  return null;
}

/** Handles a stored webhook in a transaction of its own, unless another request has done so. */
function handleStored(
  merchantId: string,
  { id, channel, shown, always }: HandledOnce,
): Promise<MoneyInEffect | null> {
  return inTurn(() =>
    inTransaction(merchantId, async (tx) => {
      const [mine] = await tx.$queryRaw<
        Row<'notices', 'first_at'>[]
      >`SELECT first_at FROM notices WHERE id = ${id} AND (handled_at IS NULL OR ${always})
        FOR UPDATE`;
      return mine === undefined
        ? null
        : handle(tx, merchantId, { id, channel, body: shown, at: mine.first_at }, false);
    }),
  );
}

type HandledOnce = { id: bigint; channel: 'wallet' | 'card'; shown: string; always: boolean };

/**
 * Handles the webhooks of the last day that are stored and not handled yet, the oldest first: those
 * that a burst left, and those of a process that ended between storing and handling. Never throws: what
 * fails is logged and tried at the next call. One call works at a time; a call meanwhile makes it look
 * again.
 */
export function handleLeft(merchantId: string): Promise<void> {
  calls += 1;
  working ??= handleAllLeft(merchantId)
    .catch((error: unknown) => sayFault('the webhooks that are left were not handled', error))
    .finally(() => {
      working = null;
    });
  return working;
}

let calls = 0;
let working: Promise<void> | null = null;
const sayFault = createFaultLog(log.warn);

async function handleAllLeft(merchantId: string): Promise<void> {
  for (let seen = 0; seen !== calls;) {
    seen = calls;
    let left = await leftAfter(merchantId, 0n);
    while (left.length > 0) {
      for (const one of left) {
        const begun = performance.now();
        await handleLater(merchantId, one);
        await restAfter(begun, LEFT_RESTS);
      }
      left = await leftAfter(merchantId, left.at(-1)!.id);
    }
  }
}

type Left = Row<'notices', 'id' | 'channel', { channel: 'wallet' | 'card' }> & { shown: string };

function leftAfter(merchantId: string, after: bigint): Promise<Left[]> {
  return inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<Left[]>`
      SELECT id, channel, body AS shown FROM notices
        WHERE handled_at IS NULL AND first_at > clock_timestamp() - interval '1 day' AND id > ${after}
        ORDER BY id LIMIT ${LEFT_AT_ONCE}`,
  );
}

async function handleLater(merchantId: string, { id, channel, shown }: Left): Promise<void> {
  try {
    const topUp = await handleStored(merchantId, { id, channel, shown, always: false });
    publishLater(merchantId, { kind: 'notice', id: id.toString() });
    if (topUp !== null) publishLater(merchantId, { kind: 'top_up', id: topUp.id });
  } catch (error) {
    sayFault('a webhook that is left was not handled', error);
  }
}

const inLine: (() => void)[] = [];
let handling = 0;

/** Runs `work` when fewer than `HANDLED_AT_ONCE` webhooks are being handled. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (handling >= HANDLED_AT_ONCE) await new Promise<void>((resolve) => inLine.push(resolve));
  else handling += 1;
  const begun = performance.now();
  try {
    await giveWay();
    return await work();
  } finally {
    void passTurn(begun);
  }
}

/** Passes the turn to the next webhook in the line, after a rest as long as the turn. */
async function passTurn(begun: number): Promise<void> {
  if (inLine.length > 0) await restAfter(begun);
  const next = inLine.shift();
  if (next === undefined) handling -= 1;
  else next();
}

/**
 * Waits `times` as long as the work took that began at `begun`, to leave processor and database to
 * pages.
 */
function restAfter(begun: number, times = 1): Promise<void> {
  return pause(times * Math.min(REST_MAX_MS, performance.now() - begun));
}

/**
 * The developer's "replay": the stored webhook goes through the same handler again, under its
 * original id, and is audited.
 */
export async function replayWebhook(actor: Person, noticeId: string): Promise<void> {
  assertMay(actor, 'notice.replay');
  await countAttempt(actor, 'notice.replay');
  await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<Stored[]>`
      SELECT id, channel, body, first_at AS at FROM notices WHERE id = ${BigInt(noticeId)} FOR UPDATE`;
    if (!row) throw new Refusal('not_found');
    const topUp = await handle(tx, actor.merchantId, row, true);
    await audit(tx, actor, 'notice.replayed', `notice:${noticeId}`);
    await publish(tx, actor, { kind: 'notice', id: noticeId });
    if (topUp !== null) await publish(tx, actor, { kind: 'top_up', id: topUp.id });
  });
}

type Stored = Row<'notices', 'id' | 'channel' | 'body', { channel: 'wallet' | 'card' }> & {
  at: Date;
};

async function handle(
  tx: Tx,
  merchantId: string,
  { id: noticeId, channel, body, at }: Stored,
  isReplay: boolean,
): Promise<MoneyInEffect | null> {
  const { notice, card, reference, hint, effect } = read(channel, body);
  const topUp =
    notice?.topic === 'top_up' || notice?.topic === 'failed_top_up'
      ? await takeMoneyIn(tx, merchantId, { noticeId, body, isReplay })
      : null;
  const [raw] =
    notice === null || reference === null
      ? []
      : await tx.$queryRaw<(RawMovement & { now: Date })[]>`
    WITH held AS MATERIALIZED (SELECT ${MOVEMENT} FROM movements WHERE ext_id = ${reference} FOR UPDATE)
      SELECT *, clock_timestamp() AS now FROM held`;
  const led: WebhookEffect =
    card !== null
      ? await takeCardWebhook(tx, merchantId, card, at)
      : notice && raw
        ? await expedite(tx, merchantId, fromRaw(raw), notice, raw.now.getTime())
        : (topUp?.effect ?? effect);
  await tx.$executeRaw`
    WITH handled AS (
      UPDATE notices SET ext_id = ${reference}, hint = ${hint}, effect = ${led},
        movement_id = ${raw?.id ?? null}::uuid, handled_at = clock_timestamp()
          WHERE id = ${noticeId} RETURNING id)
    SELECT ${led === 'asked_provider' ? sql`pg_notify('due', '')` : sql`NULL`} FROM handled`;
  return topUp;
}

/**
 * `notice`: may name a movement of ours. `card`: names a card payment, and its hash or key is
 * valid.
 */
type Read = {
  notice: Notice | null;
  card: CardWebhook | null;
  reference: string | null;
  hint: string | null;
  effect: WebhookEffect;
};

/** The content of a webhook, and its effect if it names nothing of ours. */
function read(channel: 'wallet' | 'card', body: string): Read {
  return channel === 'wallet' ? readWalletNotice(body) : readCardNotice(body);
}

function readWalletNotice(body: string): Read {
  const notice = decodeWebhook(body);
  const claims = { notice, card: null, reference: notice.extId, hint: notice.hint };
  // Incoming money is handled separately (`handle`).
  if (notice.topic === 'top_up' || notice.topic === 'failed_top_up')
    return { ...claims, effect: 'other_topic' };
  return { ...claims, effect: notice.extId === null ? 'not_understood' : 'no_such_payout' };
}

function readCardNotice(body: string): Read {
  const card = cardClient().readNotice(body);
  if (card.kind === 'not_believed')
    return { notice: null, card: null, reference: null, hint: null, effect: 'not_understood' };
  return {
    notice: null,
    card,
    reference: card.invoiceId ?? card.uniqueId,
    hint: card.hint,
    effect: 'other_topic',
  };
}

/**
 * A webhook's claim is evidence. The poll that it expedites is stored with it, and runs as soon as
 * this is committed.
 */
async function expedite(
  tx: Tx,
  merchantId: string,
  movement: MovementRow,
  notice: Notice,
  now: number,
): Promise<WebhookEffect> {
  const effect =
    movement.sends === 0
      ? 'nothing_to_ask'
      : (await countWithin(tx, merchantId, 'notice-pulls', PULLS_MAX, PULLS_WINDOW_SECONDS)).ok
        ? 'asked_provider'
        : 'kept_only';
  const expeditedAt = (after: Pick<MovementRow, 'state' | 'sends'>): number | null =>
    effect === 'asked_provider'
      ? expeditedTo({ ...after, lastHintAt: movement.lastHintAt }, now, HINT_GUARD_MS, false)
      : null;
  await record(
    tx,
    { kind: 'provider', merchantId },
    movement,
    { source: 'notice', kind: 'notice', hint: notice.hint },
    now,
    (after) => {
      const hintAt = expeditedAt(after);
      const lease =
        movement.leaseToken && movement.leaseUntil
          ? { token: movement.leaseToken, until: movement.leaseUntil }
          : null;
      // With an immediate poll, the poll itself notifies the page of its result and of the webhook:
      // before that there is nothing new to show.
      return { nextAt: earlier(movement.nextAt, hintAt), lease, hintAt, quiet: hintAt === now };
    },
  );
  return effect;
}
