import 'server-only';
import { kept, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { heldWhy, SECOND_PERSON_WINDOW_MS } from './held.ts';
import type { HeldWhy } from './held.ts';

/**
 * The longest duration of a submit: its check for an earlier payment may miss a provider record
 * that a recovery finds within this time.
 */
const SUBMIT_SECONDS = 10;

/** The columns that `heldOf` reads, for a movement `m`. */
export const HELD_COLUMNS = sql`(SELECT max(r.began_at) FROM recoveries r) AS recovery_began_at,
  (SELECT max(c.at) FROM send_confirmations c WHERE c.movement_id = m.id) AS confirmed_at,
  (m.kind = 'cashout' AND NOT EXISTS (
    SELECT FROM movements o WHERE o.kind = 'cashout' AND o.iban = m.iban AND o.id <> m.id
      AND o.sends > 0 AND o.created_at > (SELECT max(r.began_at) FROM recoveries r))) AS
      is_first_of_card_balance,
  (SELECT max(f.seen_at) FROM recovered_records f WHERE f.finding = 'foreign'
    AND f.level NOT IN ('rejected', 'failed')
    AND f.amount_minor = m.amount_minor AND f.currency = m.currency
    AND (upper(replace(f.iban, ' ', '')) = nullif(m.iban, '') OR f.to_wallet = m.to_wallet)
    AND f.seen_at > m.created_at - make_interval(secs => ${SUBMIT_SECONDS})) AS found_again_at`;

export type HeldColumns = {
  recovery_began_at: Date | null;
  confirmed_at: Date | null;
  is_first_of_card_balance: boolean;
  found_again_at: Date | null;
};

/** Why a movement waits for a person's "send it"; null when it does not. */
export function heldOf(row: HeldColumns, createdAt: number, now: number): HeldWhy {
  return heldWhy({
    createdAt,
    now,
    recoveryBeganAt: row.recovery_began_at?.getTime() ?? null,
    confirmedAt: row.confirmed_at?.getTime() ?? null,
    isFirstOfCardBalance: row.is_first_of_card_balance,
    foundAgainAt: row.found_again_at?.getTime() ?? null,
  });
}

/** `heldOf` as a condition on a movement `m`: it waits for a person's "send it". */
export const IS_HELD_MOVEMENT = sql`EXISTS (SELECT FROM (SELECT ${HELD_COLUMNS}) h
  WHERE h.recovery_began_at IS NOT NULL
    AND coalesce(h.confirmed_at <= greatest(h.recovery_began_at, h.found_again_at), true)
    AND (h.found_again_at IS NOT NULL OR m.created_at < h.recovery_began_at
      OR (h.is_first_of_card_balance AND clock_timestamp()
        < h.recovery_began_at + make_interval(secs => ${SECOND_PERSON_WINDOW_MS / 1_000}))))`;

/** The `confirmed` fact of the begin check for a movement. */
export async function isMovementConfirmed(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<(HeldColumns & { created_at: Date; now: Date })[]>(
    kept(sql`SELECT m.created_at, clock_timestamp() AS now, ${HELD_COLUMNS} FROM movements m
      WHERE m.id = ${id}::uuid`),
  );
  return row !== undefined && heldOf(row, row.created_at.getTime(), row.now.getTime()) === null;
}

/**
 * Whether a movement waits because of a recovery that has not been compared with our own send
 * journal yet: it may have been sent before. A person's "send it" ends the wait.
 */
export async function isSendUncompared(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ uncompared: boolean }[]>`
    SELECT EXISTS (SELECT FROM recoveries r WHERE r.began_at > m.created_at AND r.journal IS NULL
      AND NOT EXISTS (SELECT FROM send_confirmations c WHERE c.movement_id = m.id
        AND c.at > r.began_at)) AS uncompared
    FROM movements m WHERE m.id = ${id}::uuid`;
  return row?.uncompared ?? true;
}

/**
 * A queued plan charge `c` that is older than a recovery and has not been confirmed by a person
 * since.
 */
export const IS_HELD_CHARGE = sql`(c.state = 'QUEUED' AND EXISTS (
  SELECT FROM recoveries r WHERE r.began_at > c.asked_at
    AND NOT EXISTS (SELECT FROM send_confirmations s WHERE s.plan_charge_id = c.id
    AND s.at > r.began_at)))`;

/** The `confirmed` fact of the begin check for a plan charge in any state. */
export async function isPlanChargeConfirmed(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ held: boolean }[]>`
    SELECT EXISTS (SELECT FROM recoveries r WHERE r.began_at > c.asked_at
      AND NOT EXISTS (SELECT FROM send_confirmations s WHERE s.plan_charge_id = c.id
        AND s.at > r.began_at)) AS held FROM plan_charges c WHERE c.id = ${id}::uuid`;
  return row?.held === false;
}
