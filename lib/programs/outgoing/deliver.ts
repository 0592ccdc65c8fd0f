import 'server-only';
import { publish } from '#lib/live/publish.ts';
import { databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { postOutside } from '#lib/runtime/post-outside.ts';
import type { PostOutcome } from '#lib/runtime/post-outside.ts';
import { isPublicEndpoint } from '#lib/runtime/public-address.ts';
import { takeDue } from '#lib/runtime/take-due.ts';
import { messageOf } from './message.ts';
import type { DeliveryType } from './message.ts';
import { openFormer, openSecrets, signatureHeaders } from './secret.ts';
import { nextWait } from './waits.ts';

/** `claim`: the time until which taking the message has postponed it, as the database writes it. */
type Due = Row<
  'api_deliveries',
  'id' | 'type' | 'subject_id' | 'facts' | 'at' | 'tries',
  { type: DeliveryType }
> & { claim: string };
type Target = { url: string; secrets: string[]; now: Date };

export const DELIVERIES = { table: sql`api_deliveries` };

/**
 * Sends the message that is due for longest. Taking it postpones it, so that the one of a worker
 * that died is sent again: a receiver may get a message twice, with the same `webhook-id`. False
 * when none was due.
 */
export async function deliverOne(merchantId: string): Promise<boolean> {
  const due = await takeDue<Due>(
    merchantId,
    DELIVERIES,
    sql`id, type, subject_id, facts, at, tries, next_at::text AS claim`,
  );
  if (due === undefined) return false;
  const target = await inTransaction(merchantId, (tx) => readTarget(tx, merchantId));
  const outcome = target === null ? GONE : await post(due, target);
  await inTransaction(merchantId, async (tx) => {
    await note(tx, due, outcome);
    await publish(tx, { merchantId }, { kind: 'program', id: due.id });
  });
  return true;
}

/** Nobody listens any more: the message is given up. */
const GONE = { kind: 'failed', isConnected: false, why: 'no_endpoint' } as const;

async function readTarget(tx: Tx, merchantId: string): Promise<Target | null> {
  const [row] = await tx.$queryRaw<
    (Row<'api_endpoints', 'url' | 'secret_sealed' | 'old_secret_sealed' | 'old_until'> & {
      now: Date;
    })[]
  >`SELECT url, secret_sealed, old_secret_sealed, old_until, clock_timestamp() AS now
    FROM api_endpoints`;
  if (row === undefined) return null;
  const old = row.old_until !== null && row.old_until > row.now ? row.old_secret_sealed : null;
  const former = old === null ? [] : openFormer(merchantId, old, row.old_until!);
  return {
    url: row.url,
    secrets: [
      ...openSecrets(merchantId, row.secret_sealed),
      ...former.filter(({ until }) => until > row.now.getTime()).map(({ secret }) => secret),
    ],
    now: row.now,
  };
}

async function post(due: Due, { url, secrets, now }: Target): Promise<PostOutcome> {
  const { sandboxOn: sandbox } = env();
  if (!isPublicEndpoint(url, { sandbox }))
    return { kind: 'failed', isConnected: false, why: 'not_public' };
  const body = messageOf(due);
  const seconds = Math.floor(now.getTime() / 1_000);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'PaymentDesk-Webhooks/1',
    ...signatureHeaders({ id: due.id, seconds, body }, secrets),
  };
  return postOutside(new URL(url), headers, body, { sandbox });
}

/**
 * Stores the outcome of a try. The next time is written only where it is still the claimed one: a
 * person who pressed "send again" during the try has made the message due at once, and it stays due.
 */
async function note(tx: Tx, { id, at, tries, claim }: Due, outcome: PostOutcome): Promise<void> {
  const isTaken = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
  const status = outcome.kind === 'answered' ? outcome.status : null;
  const fault = outcome.kind === 'failed' ? outcome.why : null;
  const age = (await databaseNow(tx)).getTime() - at.getTime();
  const wait = isTaken || fault === GONE.why ? null : nextWait(tries, age);
  await tx.$executeRaw`
    UPDATE api_deliveries SET status = ${status}, fault = ${fault},
      answered_at = clock_timestamp(),
      delivered_at = CASE WHEN ${isTaken}::boolean THEN clock_timestamp() ELSE delivered_at END,
      next_at = CASE WHEN next_at = ${claim}::timestamptz
        THEN clock_timestamp() + make_interval(secs => ${wait === null ? null : wait / 1_000})
        ELSE next_at END
    WHERE id = ${id}::uuid`;
}
