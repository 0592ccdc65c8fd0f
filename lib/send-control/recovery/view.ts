import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inTransaction } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { maskIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import { comparisons, journalState, notComparable } from './compare-journal.ts';
import type { ComparedKind, Comparison, JournalFacts } from './compare-journal.ts';
import type { Why } from './checkpoint.ts';
import { endRefusal } from './rules.ts';

const RECORDS_SHOWN = 200;

/**
 * A record that the database lacked, or had in another state. Amounts are decimal text, times ISO.
 */
export type RecoveredRecord = {
  id: string;
  finding: 'foreign' | 'brought_forward' | 'contradiction';
  source: 'withdrawal' | 'ledger' | 'journal';
  level: string;
  reference: string;
  extId: string | null;
  amount: string;
  currency: string;
  iban: string | null;
  name: string | null;
  wallet: string | null;
  madeAt: string | null;
  movementId: string | null;
  /** For a send journal entry: the kind of send, and its order or plan. */
  kind: JournalKind | null;
  about: string | null;
  seen: { by: string; at: string; reason: string } | null;
};

export type JournalKind = ComparedKind | 'card_completion';

export type RecoveryView = {
  why: Why;
  beganAt: string;
  scanFrom: string;
  listedBy: string;
  scannedAt: string | null;
  problem: string | null;
  records: number;
  matched: number;
  unseen: number;
  /** Why sending may not be resumed yet. */
  blockedBy: 'recovery_not_read' | 'recovery_unseen' | null;
  /** The last comparison of our own send journal. */
  journal: { state: ReturnType<typeof journalState>; facts: JournalFacts | null };
  compared: Comparison[];
  /** The kinds without any source for what was sent since the backup. */
  notCompared: ComparedKind[];
  /** The records that need a person come first. */
  found: RecoveredRecord[];
};

/** The open recovery; null when there is none. */
export async function viewRecovery(actor: Person): Promise<RecoveryView | null> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      FoundRecovery[]
    >`SELECT ${RECOVERY}, clock_timestamp() AS now FROM recoveries WHERE ended_at IS NULL`;
    if (!row) return null;
    const [{ unseen }] = await tx.$queryRaw<
      [{ unseen: number }]
    >`SELECT count(*)::int AS unseen FROM recovered_records WHERE finding <> 'brought_forward'
      AND acknowledged_at IS NULL`;
    const rows = await tx.$queryRaw<FoundRecord[]>`
      SELECT ${RECORD.of('f')}, p.name AS by FROM recovered_records f LEFT JOIN people p ON p.id = f.acknowledged_by
      WHERE f.recovery_id = ${row.id}::uuid
        OR (f.finding <> 'brought_forward' AND f.acknowledged_at IS NULL)
      ORDER BY f.finding = 'brought_forward', f.acknowledged_at IS NOT NULL, f.made_at, f.id
        LIMIT ${RECORDS_SHOWN}`;
    const whole = may(actor.role, 'payee.read');
    const times = {
      scannedAt: row.scanned_at?.getTime() ?? null,
      listedBy: row.listed_by.getTime(),
      now: row.now.getTime(),
    };
    const compared = comparisons(row.journal, row.scanned_at !== null && row.problem === null);
    return {
      journal: { state: journalState(row.journal), facts: row.journal },
      compared,
      notCompared: notComparable(compared),
      why: row.why,
      beganAt: row.began_at.toISOString(),
      scanFrom: row.scan_from.toISOString(),
      listedBy: row.listed_by.toISOString(),
      scannedAt: row.scanned_at?.toISOString() ?? null,
      problem: row.problem,
      records: row.records,
      matched: row.matched,
      unseen,
      blockedBy: endRefusal({ ...times, problem: row.problem, unseen }),
      found: rows.map((one) => recordOf(one, whole)),
    };
  });
}

const RECOVERY = columns('recoveries', [
  'id',
  'why',
  'began_at',
  'scan_from',
  'listed_by',
  'scanned_at',
  'problem',
  'records',
  'matched',
  'journal',
]);
type FoundRecovery = RowOf<typeof RECOVERY, { why: Why; journal: JournalFacts | null }> & {
  now: Date;
};

const RECORD = columns('recovered_records', [
  'id',
  'finding',
  'source',
  'level',
  'reference',
  'ext_id',
  'amount_minor',
  'currency',
  'iban',
  'name',
  'wallet',
  'made_at',
  'movement_id',
  'kind',
  'about',
  'acknowledged_at',
  'acknowledged_reason',
]);
type FoundRecord = RowOf<
  typeof RECORD,
  {
    finding: RecoveredRecord['finding'];
    source: RecoveredRecord['source'];
    kind: JournalKind | null;
  }
> & { by: string | null };

function recordOf(row: FoundRecord, whole: boolean): RecoveredRecord {
  return {
    id: row.id.toString(),
    finding: row.finding,
    source: row.source,
    level: row.level,
    reference: row.reference,
    extId: row.ext_id,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    iban: row.iban === null || whole ? row.iban : maskIban(row.iban),
    name: row.name,
    wallet: row.wallet,
    madeAt: row.made_at?.toISOString() ?? null,
    movementId: row.movement_id,
    kind: row.kind,
    about: row.about,
    seen:
      row.acknowledged_at === null
        ? null
        : {
            by: row.by ?? '',
            at: row.acknowledged_at.toISOString(),
            reason: row.acknowledged_reason ?? '',
          },
  };
}
