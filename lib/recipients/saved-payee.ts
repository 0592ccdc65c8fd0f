import 'server-only';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { SavedPayee } from '#lib/payment-checks/findings.ts';

/** Manual changes to this account; null when it belongs to no saved recipient. */
export async function readSavedPayee(tx: Tx, number: string): Promise<SavedPayee | null> {
  return (await readSavedPayees(tx, [number])).get(number) ?? null;
}

/** Manual changes to these accounts, by their numbers; one of no saved recipient is left out. */
export async function readSavedPayees(
  tx: Tx,
  numbers: readonly string[],
): Promise<Map<string, SavedPayee>> {
  const rows = await tx.$queryRaw<StoredPayee[]>`
    SELECT p.number, r.name, p.changed_at, changer.name AS changed_by, p.replaces,
      coalesce(p.archived_at, r.archived_at) AS archived_at, archiver.name AS archived_by,
      (SELECT later.number FROM recipient_payees later WHERE later.replaces = p.number
        AND later.archived_at IS NULL ORDER BY later.changed_at DESC LIMIT 1) AS replaced_by
    FROM recipient_payees p JOIN recipients r ON r.id = p.recipient_id
      LEFT JOIN people changer ON changer.id = p.changed_by
        LEFT JOIN people archiver ON archiver.id = coalesce(p.archived_by, r.archived_by)
    WHERE p.number = ANY(${numbers}::text[])`;
  return new Map(rows.map((row) => [row.number, savedPayee(row)]));
}

function savedPayee(row: StoredPayee): SavedPayee {
  return {
    name: row.name,
    changed: row.changed_at && {
      at: row.changed_at.toISOString(),
      by: row.changed_by ?? '',
      before: row.replaces,
    },
    retired: row.archived_at && {
      at: row.archived_at.toISOString(),
      by: row.archived_by ?? '',
      now: row.replaced_by,
    },
  };
}

type StoredPayee = Row<'recipients', 'name'> &
  Row<'recipient_payees', 'number' | 'changed_at' | 'replaces'> & {
    changed_by: string | null;
    archived_at: Date | null;
    archived_by: string | null;
    replaced_by: string | null;
  };
