import 'server-only';
import { sql } from '#lib/runtime/db.ts';

/**
 * Whether a record contradicts the end of another payment of the same "pay again" chain as a movement
 * `m`, as SQL: `m` may have been paid already. "Pay again" is refused then (`pay-again.ts`), but what it
 * has made before may still wait for its IBAN, for a stop or for the provider: it is not sent. One that
 * may have been sent is not sent again either, because a resend pays it where the first request was
 * lost: it is only read.
 */
export const IS_FAMILY_CONTRADICTED_M = sql`(m.retry_of IS NOT NULL
  AND EXISTS (
    WITH RECURSIVE up AS (
      SELECT p.id, p.retry_of FROM movements p WHERE p.id = m.retry_of
      UNION SELECT p.id, p.retry_of FROM movements p JOIN up ON p.id = up.retry_of),
    family AS (
      SELECT up.id FROM up WHERE up.retry_of IS NULL
      UNION SELECT c.id FROM movements c JOIN family f ON c.retry_of = f.id)
    SELECT FROM movements o JOIN family f ON f.id = o.id
    WHERE o.id <> m.id AND o.alert = 'contradiction'))`;
