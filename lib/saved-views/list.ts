import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';

/** Lists that can have saved views: lists whose address holds the whole filter. */
export const VIEW_LISTS = ['transactions', 'withdrawals'] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

/** `address` in its stored form: see `openedAddress`. */
export type SavedView = { id: string; name: string; address: string };

/** A person's own views of a list, oldest first, so that a tab keeps its position. */
export async function listViews(actor: Person, list: ViewList): Promise<SavedView[]> {
  return inOne<SavedView>(
    actor.merchantId,
    sql`SELECT id, name, address FROM saved_views WHERE person_id = ${actor.personId}::uuid
      AND list = ${list} AND deleted_at IS NULL ORDER BY created_at, id`,
  );
}
