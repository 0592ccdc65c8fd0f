import { randomUUID } from 'node:crypto';
import type { TestMerchant } from '#lib/testing/database.ts';
import { CARD_BALANCE_PAYOUT, isTransfer } from '../kinds.ts';
import type { State } from '../state.ts';

/** Movements in the database for tests, brought to their state by legal steps. */

let made = 0;

/** For a transfer kind, `toWallet` is the payee and there is no IBAN. */
export type Given = {
  toWallet?: string;
  name?: string;
  iban?: string;
  amountMinor?: bigint;
  dueInMs?: number;
  retryOf?: string;
  approvalsNeeded?: number;
  kind?: string;
  wallet?: string;
  paymentType?: string;
};

/**
 * `count` movements that are ready to be sent, due now by default, each to its own IBAN by default.
 */
export async function readyMovements(
  merchant: TestMerchant,
  count: number,
  given: Given = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const kind = given.kind ?? 'payout';
  const transfer = isTransfer(kind);
  const ofCards = kind === CARD_BALANCE_PAYOUT;
  const ibans = ids.map(() => (transfer ? '' : (given.iban ?? testIban())));
  await merchant.owner.query(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, retry_of, wallet, iban, name,
      tax_number, amount_minor, currency, payment_type, description, content_hash, maker_id,
      approvals_needed, to_wallet, found_by, phone)
     SELECT one.id, $2, $7, upper(left(md5(one.id::text), 20)), 'DRAFT', $6, $9, one.iban, $11, $12,
       $4, 'TRY', $10, 'test', md5(one.id::text), $5, $8, $13, $14, $15
     FROM unnest($1::uuid[], $3::text[]) AS one(id, iban)`,
    [
      ids,
      merchant.merchantId,
      ibans,
      (given.amountMinor ?? 12_345n).toString(),
      merchant.person('clerk').personId,
      given.retryOf ?? null,
      kind,
      given.approvalsNeeded ?? 0,
      ofCards ? '' : (given.wallet ?? '1000000001'),
      kind === 'transfer_own' || ofCards ? '' : (given.paymentType ?? '1'),
      given.name ?? 'Ayşe Yılmaz',
      transfer ? '' : '10000000146',
      transfer ? (given.toWallet ?? testWallet()) : null,
      kind === 'transfer_person' ? 'phone:90:5330000201' : null,
      ofCards ? '905330000201' : null,
    ],
  );
  await step(merchant, ids, 'AWAITING_APPROVAL');
  await step(merchant, ids, 'APPROVED');
  await merchant.owner.query(
    `UPDATE movements SET next_at = clock_timestamp() + make_interval(secs => $2) WHERE id = ANY($1)`,
    [ids, (given.dueInMs ?? 0) / 1_000],
  );
  return ids;
}

/** One movement in `state`, with the columns given. */
export async function storedMovement(
  merchant: TestMerchant,
  state: State,
  columns: Record<string, unknown> = {},
  given: Given = {},
): Promise<string> {
  const [id] = (await readyMovements(merchant, 1, { dueInMs: 3_600_000, ...given })) as [string];
  const way: Partial<Record<State, State[]>> = {
    CANCELLED: ['CANCELLED'],
    SUBMITTING: ['SUBMITTING'],
    UNKNOWN: ['SUBMITTING', 'UNKNOWN'],
    PENDING: ['SUBMITTING', 'PENDING'],
    REJECTED: ['SUBMITTING', 'REJECTED'],
    MANUAL_REVIEW: ['SUBMITTING', 'PENDING', 'MANUAL_REVIEW'],
    COMPLETED: ['SUBMITTING', 'PENDING', 'COMPLETED'],
    FAILED: ['SUBMITTING', 'PENDING', 'FAILED'],
  };
  for (const to of way[state] ?? []) await step(merchant, [id], to);
  if (state === 'UNKNOWN') await setColumns(merchant, id, { ever_ambiguous: true });
  await setColumns(merchant, id, columns);
  return id;
}

/**
 * Due before any other movement of a test file: the claim takes the one that has waited longest, and
 * on a slow machine the next checks of earlier tests fall due as well.
 */
export const LONGEST_DUE = new Date(Date.now() - 24 * 3_600_000);

export async function setColumns(
  merchant: TestMerchant,
  id: string,
  columns: Record<string, unknown>,
): Promise<void> {
  const names = Object.keys(columns);
  if (names.length === 0) return;
  const sets = names.map((name, n) => `${name} = $${n + 2}`);
  if (columns.ever_ambiguous === true && !('unclear_since' in columns))
    sets.push(
      "unclear_since = coalesce(unclear_since, date_trunc('milliseconds', clock_timestamp()))",
    );
  await merchant.owner.query(`UPDATE movements SET ${sets.join(', ')} WHERE id = $1`, [
    id,
    ...Object.values(columns),
  ]);
}

export async function rowOf(
  merchant: TestMerchant,
  id: string,
): Promise<
  Record<string, unknown> & {
    state: State;
    next_at: Date | null;
    lease_token: string | null;
    lease_until: Date | null;
    sends: number;
  }
> {
  const { rows } = await merchant.owner.query(`SELECT * FROM movements WHERE id = $1`, [id]);
  return rows[0];
}

/** A new receiving wallet. */
export function testWallet(): string {
  made += 1;
  return `55${String(process.pid).padStart(8, '0')}${String(made).padStart(6, '0')}`;
}

/** A new number; only its length is valid. */
export function testIban(): string {
  made += 1;
  return `TR${String(process.pid).padStart(10, '0')}${String(made).padStart(14, '0')}`;
}

async function step(merchant: TestMerchant, ids: string[], to: State): Promise<void> {
  await merchant.owner.query(
    `UPDATE movements SET state = $2, state_since = clock_timestamp(), sends = sends + $3,
      last_send_at = CASE WHEN $3 = 1 THEN clock_timestamp() ELSE last_send_at END WHERE id = ANY($1)`,
    [ids, to, to === 'SUBMITTING' ? 1 : 0],
  );
}
