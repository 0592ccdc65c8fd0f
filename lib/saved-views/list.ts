import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { records } from '#lib/runtime/db.ts';
import type { ViewList } from './lists.ts';

/** `address` in its stored form: see `openedAddress`. */
export type SavedView = { id: string; name: string; address: string };

/** A person's own views of a list, oldest first, so that a tab keeps its position. */
export async function listViews(actor: Person, list: ViewList): Promise<SavedView[]> {
  const { savedView } = await records(actor.merchantId);
  return savedView.findMany({
    select: { id: true, name: true, address: true },
    where: { personId: actor.personId, list, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}
