import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { records } from '#lib/runtime/db.ts';

/** The name of a saved recipient; null when this merchant has none with that id. */
export async function recipientName(actor: Person, id: string | null): Promise<string | null> {
  assertMay(actor, 'movement.read');
  if (id === null) return null;
  const { recipient } = await records(actor.merchantId);
  const found = await recipient.findFirst({ select: { name: true }, where: { id } });
  return found?.name ?? null;
}
