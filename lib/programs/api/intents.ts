import 'server-only';
import { createHash } from 'node:crypto';
import { Refusal } from '#lib/access/refusal.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import type { Caller } from '../keys/authenticate.ts';

/**
 * What an Idempotency-Key stands for. It belongs to the merchant and not to one API key, so that a
 * request whose answer was lost is repeated with the next key and still pays once.
 */

export type IntentKind = 'payout' | 'batch';
/** `subjectId`: the payout or batch that this request becomes, however often it is repeated. */
export type Intent = { subjectId: string; answer: unknown };

/**
 * Binds an Idempotency-Key to one body, before anything is judged. A repetition finds the same
 * subject, and its answer where there is one.
 *
 * @throws Refusal idempotency_reused
 */
export async function takeIntent(
  { person, key }: Caller,
  { kind, idempotencyKey, body }: { kind: IntentKind; idempotencyKey: string; body: unknown },
): Promise<Intent> {
  const hash = bodyHash(body);
  return inTransaction(person.merchantId, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO api_intents (merchant_id, kind, idempotency_key, api_key_id, body_hash)
      VALUES (${person.merchantId}::uuid, ${kind}, ${idempotencyKey}, ${key.id}::uuid, ${hash})
      ON CONFLICT DO NOTHING`;
    const [row] = await tx.$queryRaw<
      [Row<'api_intents', 'subject_id' | 'body_hash' | 'answer' | 'api_key_id'>]
    >`
      SELECT subject_id, body_hash, answer, api_key_id FROM api_intents
      WHERE merchant_id = ${person.merchantId}::uuid AND kind = ${kind}
        AND idempotency_key = ${idempotencyKey} FOR UPDATE`;
    if (!hash.equals(row.body_hash)) throw new Refusal('idempotency_reused');
    if (row.answer === null && row.api_key_id !== key.id)
      await tx.$executeRaw`
        UPDATE api_intents SET api_key_id = ${key.id}::uuid
        WHERE subject_id = ${row.subject_id}::uuid`;
    return { subjectId: row.subject_id, answer: row.answer };
  });
}

/** Keeps the answer of a request that was carried out; the first one stays. */
export async function keepAnswer(
  { person }: Caller,
  { subjectId }: Intent,
  answer: object,
): Promise<unknown> {
  return inTransaction(person.merchantId, async (tx) => {
    await tx.$executeRaw`
      UPDATE api_intents SET answer = ${JSON.stringify(answer)}::jsonb
      WHERE subject_id = ${subjectId}::uuid AND answer IS NULL`;
    const [row] = await tx.$queryRaw<[Row<'api_intents', 'answer'>]>`
      SELECT answer FROM api_intents WHERE subject_id = ${subjectId}::uuid`;
    return row.answer;
  });
}

/** SHA-256 of the checked body, whatever the order of its fields and its white space. */
function bodyHash(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(body)))
    .digest();
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, inOrder(one)]));
}
