import 'server-only';
import { sql } from '#lib/runtime/db.ts';

/**
 * Whether the person `p` is disabled, or another account of the same login at the provider is: who is
 * disabled in one of them neither signs in (`lib/login/join.ts`) nor acts in any other way. A merchant
 * has few people; they are found by the index that begins with the merchant.
 */
export const IS_DISABLED_P = sql`(p.disabled_at IS NOT NULL OR EXISTS (SELECT FROM people other
  WHERE other.merchant_id = p.merchant_id AND other.provider_user_id = p.provider_user_id
    AND other.disabled_at IS NOT NULL))`;

/** Whether an approval `a` counts no longer, since the login of one of its people is disabled. */
export const HAS_LAPSED_A = sql`EXISTS (SELECT FROM people p
  WHERE p.id IN (a.person_id, a.deputy_of) AND ${IS_DISABLED_P})`;
