import 'server-only';
import { sql } from '#lib/runtime/db.ts';

/** Movements `m` to an account `p`: a payout goes to an IBAN, a transfer to a wallet. */
export const PAID_TO = sql`(m.iban = p.number OR m.to_wallet = p.number)`;

/**
 * The latest movement to an account `p` in any state. Each half stops at the first row of its
 * index.
 */
export const LAST_PAID = sql`
  (SELECT m.created_at AS at, m.amount_minor, m.currency, m.state, m.returned FROM movements m
    WHERE m.iban = p.number ORDER BY m.created_at DESC LIMIT 1)
  UNION ALL
  (SELECT m.created_at AS at, m.amount_minor, m.currency, m.state, m.returned FROM movements m
    WHERE m.to_wallet = p.number ORDER BY m.created_at DESC LIMIT 1)`;
