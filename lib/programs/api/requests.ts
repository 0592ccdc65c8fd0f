import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countWithin } from '#lib/access/rate-limit.ts';
import { publishSql } from '#lib/live/publish.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import type { Caller } from '../keys/authenticate.ts';

/** The requests of API keys, for the page of developers; the worker deletes old ones. */

export type NotedRequest = {
  method: string;
  /** Without its query. */
  path: string;
  status: number;
  code: string | null;
  idempotencyKey: string | null;
  tookMs: number;
};

/** One request as the page shows it. JSON-safe; times ISO. */
export type RequestRow = NotedRequest & { id: string; at: string; keyName: string };

const PATH_MAX = 200;
/**
 * Refusals that count towards no limit of the API. Of one key so many a minute are noted: whoever has a
 * revoked one could otherwise fill the database.
 */
const UNLIMITED: readonly (string | null)[] = [
  'too_many',
  'key_revoked',
  'key_waiting',
  'key_idle',
];
const UNLIMITED_NOTED_MAX = 60;
const MINUTE = 60;
const SHOWN_MAX = 100;

/** Never throws: an answer is given although its request could not be noted. */
export async function noteRequest({ person, key }: Caller, request: NotedRequest): Promise<void> {
  const { method, path, status, code, idempotencyKey, tookMs } = request;
  try {
    if (UNLIMITED.includes(code) && !(await hasRoom(person.merchantId, key.id))) return;
    await inOne(
      person.merchantId,
      sql`WITH noted AS (INSERT INTO api_requests (merchant_id, api_key_id, method, path, status,
          code, idempotency_key, took_ms, ip)
        VALUES (${person.merchantId}::uuid, ${key.id}::uuid, ${method},
          ${storable(path.slice(0, PATH_MAX))}, ${status}, ${code}, ${idempotencyKey},
          ${Math.round(tookMs)}, ${person.ip}) RETURNING api_key_id)
        SELECT ${publishSql(person, { kind: 'program', id: key.id })} FROM noted`,
    );
  } catch (error) {
    log.error('an API request was not noted', errorFields(error));
  }
}

async function hasRoom(merchantId: string, keyId: string): Promise<boolean> {
  const counted = await inTransaction(merchantId, (tx) =>
    countWithin(tx, merchantId, `api.noted:${keyId}`, UNLIMITED_NOTED_MAX, MINUTE),
  );
  return counted.ok;
}

/** The latest requests; `failed`: only refused ones, `keyId`: only of this key. */
export async function listRequests(
  actor: Person,
  { failed, keyId }: { failed: boolean; keyId: string | null },
): Promise<RequestRow[]> {
  assertMay(actor, 'api.read');
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<
      (Row<
        'api_requests',
        'id' | 'at' | 'method' | 'path' | 'status' | 'code' | 'idempotency_key' | 'took_ms'
      > &
        Row<'api_keys', 'name'>)[]
    >`
      SELECT r.id, r.at, r.method, r.path, r.status, r.code, r.idempotency_key, r.took_ms, k.name
      FROM api_requests r JOIN api_keys k ON k.id = r.api_key_id
      WHERE (NOT ${failed}::boolean OR r.status >= 400)
        AND r.api_key_id = coalesce(${keyId}::uuid, r.api_key_id)
      ORDER BY r.at DESC, r.id DESC LIMIT ${SHOWN_MAX}`,
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    idempotencyKey: row.idempotency_key,
    tookMs: row.took_ms,
    keyName: row.name,
  }));
}
