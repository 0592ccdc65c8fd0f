import type { BankState } from '../bank/desk.ts';
import { text } from '../store.ts';
import type { World } from '../world.ts';

/**
 * Finds an earlier use of an ext_transaction_id, as the provider's duplicate check sees it. Payouts
 * and transfers share one space of ids (assumed).
 */

const DAY_MS = 86_400_000;

/**
 * Returns an earlier use of the id, or null. `bankState` is the state of its withdraw request; null
 * when the id was used by a transfer or a refused request.
 */
export function earlierUse(
  world: World,
  extId: string,
  now: number,
): { bankState: BankState | null } | null {
  const { store, questions } = world;
  const since =
    questions.ext_id_reserved_days > 0 ? now - questions.ext_id_reserved_days * DAY_MS : 0;
  const seenUntil = questions.dedupe === 'atomic' ? Number.MAX_SAFE_INTEGER : now;
  const request = store.get(
    `SELECT bank_state FROM requests WHERE ext_id = ? AND accepted_at >= ? AND listed_from <= ?
      ORDER BY accepted_at LIMIT 1`,
    extId,
    since,
    seenUntil,
  );
  if (request) return { bankState: text(request.bank_state) as BankState };
  const other =
    store.get(
      `SELECT 1 AS hit FROM movements WHERE ext_id = ? AND request_id IS NULL AND created_at >= ?
        AND listed_at <= ? LIMIT 1`,
      extId,
      since,
      seenUntil,
    ) ?? store.get('SELECT 1 AS hit FROM burned WHERE ext_id = ? AND at >= ?', extId, since);
  return other ? { bankState: null } : null;
}

/**
 * Reserves the id of a refused request when the switch `rejected_burns_ext_id` is on: the contract
 * leaves open whether a refusal uses the id up.
 */
export function refused(world: World, extId: string, now: number): void {
  if (world.questions.rejected_burns_ext_id)
    world.store.run(
      'INSERT INTO burned (ext_id, at) VALUES (?, ?) ON CONFLICT (ext_id) DO UPDATE SET at = excluded.at',
      extId,
      now,
    );
}

/** Whether this ext id meets this magic value for the first time. Records the meeting. */
export function firstMeeting(world: World, extId: string, what: string): boolean {
  return (
    world.store.run('INSERT OR IGNORE INTO magic_seen (ext_id, what) VALUES (?, ?)', extId, what)
      .changes > 0
  );
}
