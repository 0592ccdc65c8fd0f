import 'server-only';
import { randomUUID } from 'node:crypto';
import { audit } from '#lib/audit/append.ts';
import { databaseNow, inTransaction, kept, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { HELD_COLUMNS, heldOf } from '#lib/begin-check/confirmed.ts';
import type { HeldColumns } from '#lib/begin-check/confirmed.ts';
import { isRestored } from '#lib/begin-check/held.ts';
import type { OwnIdentity } from '#lib/begin-check/provider-account.ts';
import { holdsCheckpoint } from './checkpoint-held.ts';
import type { KnownEntry } from './checkpoint-held.ts';
import { closeIbanGate, openIbanGate } from './iban-gate.ts';
import {
  besideRequest,
  decide,
  underLease,
  leased,
  mayTake,
  opensGate,
  queueAfter,
} from './claim-rules.ts';
import type { Requirement } from './approvals-cover.ts';
import type { Due, ProviderResponse } from './claim-rules.ts';
import {
  APPROVALS_OF_M,
  checkedApprovals,
  checkedRequirements,
  HAD_POLICY_M,
  JUDGEMENTS_OF_M,
  REQUIREMENTS_OF_M,
} from './approvals-of.ts';
import type { StoredJudgement } from '#lib/policy/founded.ts';
import type { StoredApproval } from './approvals-of.ts';
import { contentHash } from './content.ts';
import type { Alert } from './alert.ts';
import { IS_BATCH_HELD_M } from './batch-hold.ts';
import { date, record } from './evidence.ts';
import { IS_FAMILY_CONTRADICTED_M } from './family-hold.ts';
import { publish } from '#lib/live/publish.ts';
import { workerKind } from './kind.ts';
import type { WorkerKinds } from './kind.ts';
import type { Policy } from './schedule.ts';
import { fromRaw, MOVEMENT } from './row.ts';
import type { MovementRow, RawMovement } from './row.ts';
import type { Evidence, Movement } from './state.ts';

export type { ProviderResponse } from './claim-rules.ts';

/** The work that a claim leaves to do outside the transaction, or that nothing was due. */
export type Claim =
  | { kind: 'nothing_due' }
  /** The row was moved or deferred inside the transaction: no request to make. */
  | { kind: 'settled' }
  | { kind: 'send' | 'read' | 'ledger'; movement: MovementRow; leaseToken: string };

/**
 * `kinds`: the movement kinds that this worker can send; other kinds are left to workers that know
 * them. `mark`: the newest audit entry known to this machine, null while none is known. A database
 * without that entry is an older one, and nothing is sent from it. `identity`: the provider account
 * this machine sends with; a database that is bound to another one sends nothing. While the account
 * is unknown the begin check decides.
 */
export type ClaimOptions = {
  merchantId: string;
  policy: Policy;
  random: () => number;
  kinds: WorkerKinds;
  mark: () => KnownEntry | null;
  identity: () => OwnIdentity;
};

/** How long a row is deferred whose claim failed, so that it does not block the rows behind it. */
const DEFER_SECONDS = 5;
/**
 * After this many failures in a row the cause is not temporary: the row gets an alert and is tried
 * less often.
 */
const FAILURES_MANY = 10;
const DEFER_MANY_SECONDS = 5 * 60;
const CLAIM_FAILING: Alert = 'claim_failing';

/**
 * Claims one due movement. For a send, SUBMITTING, the attempt row and the IBAN gate are committed
 * before this returns: no socket is opened before that (docs/money-rules.md, step 7).
 */
export async function claimDue(options: ClaimOptions): Promise<Claim> {
  let claimedId: string | null = null;
  try {
    return await inTransaction(options.merchantId, async (tx) => {
      const raw = await lockDue(tx, options);
      if (raw === null) return { kind: 'nothing_due' };
      claimedId = raw.id;
      const hasFailed = raw.claim_failures > 0;
      if (hasFailed) await clearFailures(tx, options, raw);
      return await claim(tx, options, dueOf(raw), !hasFailed);
    });
  } catch (error) {
    if (claimedId !== null) await deferFailed(options, claimedId);
    throw error;
  }
}

/**
 * Locks one due row. The query compares with `statement_timestamp()`: `clock_timestamp()` changes
 * during the statement, so no index can be used for it.
 */
async function lockDue(
  tx: Tx,
  { merchantId, kinds, mark, identity }: ClaimOptions,
): Promise<RawDue | null> {
  const [raw] = await tx.$queryRaw<RawDue[]>(
    kept(sql`
    WITH m AS MATERIALIZED (
      SELECT ${MOVEMENT} FROM movements
      WHERE merchant_id = ${merchantId}::uuid AND next_at <= statement_timestamp()
        AND (lease_until IS NULL OR lease_until < statement_timestamp())
        AND kind = ANY(${Object.keys(kinds)})
      ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    SELECT *, clock_timestamp() AS now, EXISTS (SELECT FROM send_switches s WHERE s.off
      AND s.kind IN (m.kind, 'all')) OR ${IS_BATCH_HELD_M} AS switched_off,
      ${IS_FAMILY_CONTRADICTED_M} AS family_contradicted, ${holdsCheckpoint(mark())} AS known,
      ${isBoundTo(identity())} AS ours, ${HELD_COLUMNS},
      ${APPROVALS_OF_M} AS approvals, ${REQUIREMENTS_OF_M} AS requirements,
      ${JUDGEMENTS_OF_M} AS judgements, ${HAD_POLICY_M} AS had_policy,
      (SELECT coalesce(jsonb_agg(DISTINCT t.body_hash), '[]') FROM attempts t
        WHERE t.movement_id = m.id) AS bodies
    FROM m`),
  );
  return raw ?? null;
}

type RawDue = RawMovement &
  HeldColumns & {
    now: Date;
    switched_off: boolean;
    family_contradicted: boolean;
    known: boolean;
    ours: boolean;
    approvals: StoredApproval[];
    requirements: Requirement[];
    judgements: StoredJudgement[];
    had_policy: boolean;
    bodies: string[];
  };

function dueOf(raw: RawDue): Due {
  const switchedOff = raw.switched_off || !raw.known || !raw.ours;
  const [movement, now] = [fromRaw(raw), raw.now.getTime()];
  const restored = isRestored({
    createdAt: movement.createdAt,
    recoveryBeganAt: raw.recovery_began_at?.getTime() ?? null,
  });
  return {
    movement,
    now,
    switchedOff,
    earlierMayBePaid: raw.family_contradicted,
    confirmed: heldOf(raw, movement.createdAt, now) === null,
    restored,
    approvals: checkedApprovals(raw.approvals, movement),
    requirements: checkedRequirements(
      raw.requirements,
      { judgements: raw.judgements, hadPolicy: raw.had_policy },
      movement,
    ),
    intact: contentHash(movement.kind, movement) === movement.contentHash,
    bodies: raw.bodies,
  };
}

function isBoundTo({ environment, sender, gateway }: OwnIdentity): ReturnType<typeof sql> {
  if (sender === null)
    return sql`NOT EXISTS (SELECT FROM installations i WHERE i.environment <> ${environment}
      OR i.gateway <> ${gateway})`;
  return sql`EXISTS (SELECT FROM installations i WHERE i.environment = ${environment}
    AND i.sender = ${sender} AND i.gateway = ${gateway})`;
}

/** When the first movement is due that a worker of these kinds can claim, as SQL. */
export function movementsDue(kinds: WorkerKinds): ReturnType<typeof sql> {
  return sql`SELECT next_at FROM movements WHERE next_at IS NOT NULL
    AND kind = ANY(${Object.keys(kinds)}) ORDER BY next_at LIMIT 1`;
}

/**
 * Defers a row whose claim failed, in a new transaction, because the failed one is rolled back. An
 * alert that the row already has stays.
 */
async function deferFailed(options: ClaimOptions, id: string): Promise<void> {
  await inTransaction(options.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ claim_failures: number; card_payment_id: string | null }[]>`
      UPDATE movements SET claim_failures = claim_failures + 1,
        alert = CASE WHEN claim_failures + 1 >= ${FAILURES_MANY} THEN
          coalesce(alert, ${CLAIM_FAILING}::text) ELSE alert END,
        next_at = clock_timestamp()
          + make_interval(secs => CASE WHEN claim_failures + 1 >= ${FAILURES_MANY} THEN
          ${DEFER_MANY_SECONDS}::int ELSE ${DEFER_SECONDS}::int END)
      WHERE id = ${id}::uuid AND next_at <= clock_timestamp()
        AND (lease_until IS NULL OR lease_until < clock_timestamp())
      RETURNING claim_failures, card_payment_id`;
    if (row?.claim_failures !== FAILURES_MANY) return;
    await audit(tx, worker(options), 'movement.claim_failing', `movement:${id}`, {
      failures: FAILURES_MANY,
    });
    await publish(
      tx,
      options,
      row.card_payment_id === null
        ? { kind: 'movement', id }
        : { kind: 'card', id: row.card_payment_id },
    );
  }).catch(() => undefined);
}

/**
 * Resets the count of failed claims and clears their alert, in the claim's transaction: a claim
 * that fails again rolls the reset back.
 */
async function clearFailures(tx: Tx, options: ClaimOptions, raw: RawDue): Promise<void> {
  const isFlagged = raw.alert === CLAIM_FAILING;
  await tx.$executeRaw`UPDATE movements SET claim_failures = 0,
    alert = nullif(alert, ${CLAIM_FAILING}::text) WHERE id = ${raw.id}::uuid`;
  if (isFlagged)
    await audit(tx, worker(options), 'movement.claim_working', `movement:${raw.id}`, {
      failures: raw.claim_failures,
    });
  raw.alert = isFlagged ? null : raw.alert;
}

/** `isFirstWrite`: nothing else has been written in this transaction. */
async function claim(
  tx: Tx,
  options: ClaimOptions,
  due: Due,
  isFirstWrite: boolean,
): Promise<Claim> {
  const { movement, now } = due;
  if (!mayTake(movement, now)) throw new Error('claimed a row that is not free');
  const decision = decide(due, requestHash(options), options.policy, options.random);
  switch (decision.kind) {
    case 'send':
      return claimSend(tx, options, due);
    case 'read':
    case 'ledger':
      return claimCheck(tx, movement, { kind: decision.kind, now, isFirstWrite });
    case 'put_off':
      return defer(tx, movement, decision.until);
    case 'note':
      await recordByWorker(tx, options, movement, decision.evidence, now);
      return { kind: 'settled' };
  }
}

async function claimSend(tx: Tx, options: ClaimOptions, { movement, now }: Due): Promise<Claim> {
  const gate = await closeIbanGate(tx, options.merchantId, movement, now);
  if (gate !== 'passed') return defer(tx, movement, gate.opensAt);

  const leaseToken = randomUUID();
  await tx.$executeRaw(
    kept(sql`
    INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token)
    VALUES (${options.merchantId}::uuid, ${movement.id}::uuid, ${movement.sends + 1},
      ${requestHash(options)(movement)}, ${leaseToken}::uuid)`),
  );
  const claimed = await record(
    tx,
    worker(options),
    movement,
    { source: 'worker', kind: 'claimed' },
    now,
    () => leased(leaseToken, now),
  );
  return { kind: 'send', movement: claimed, leaseToken };
}

/**
 * Leases the row for a query. A commit of nothing but the lease does not wait for the disk: if the
 * database loses it, the row is due at once and the query is made again, which is harmless.
 */
async function claimCheck(
  tx: Tx,
  movement: MovementRow,
  { kind, now, isFirstWrite }: { kind: 'read' | 'ledger'; now: number; isFirstWrite: boolean },
): Promise<Claim> {
  const leaseToken = randomUUID();
  const { lease, nextAt } = leased(leaseToken, now);
  await tx.$queryRaw(
    kept(sql`
    UPDATE movements SET lease_until = ${date(lease.until)}, lease_token = ${lease.token}::uuid,
      next_at = ${date(nextAt)} WHERE id = ${movement.id}::uuid
    RETURNING CASE WHEN ${isFirstWrite}::boolean
      THEN set_config('synchronous_commit', 'off', true) END`),
  );
  return { kind, movement, leaseToken };
}

/**
 * Records a response whoever holds the lease by now, because a late answer is still evidence. Only
 * the holder of the lease gives it back and sets the next check. Called twice for one answer
 * (commit done, confirmation lost), the second call is late.
 */
export async function recordResponse(
  options: ClaimOptions,
  claim: { movement: MovementRow; leaseToken: string },
  evidence: ProviderResponse,
): Promise<Movement> {
  return inTransaction(options.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<(RawMovement & { now: Date; restored: boolean })[]>(
      kept(sql`
      WITH held AS MATERIALIZED (SELECT ${MOVEMENT} FROM movements WHERE id = ${claim.movement.id}::uuid FOR UPDATE)
      SELECT *, clock_timestamp() AS now,
        EXISTS (SELECT FROM recoveries r WHERE r.began_at > held.created_at) AS restored FROM held`),
    );
    if (!raw) throw new Error('a claimed movement has disappeared');
    const movement = fromRaw(raw);
    const now = raw.now.getTime();
    const response = besideRequest(
      { lastSendAt: movement.lastSendAt, restored: raw.restored },
      underLease(movement, claim.leaseToken, evidence, now),
      now,
      options.policy,
    );
    if (opensGate(response)) await openIbanGate(tx, options.merchantId, movement);
    return recordByWorker(tx, options, movement, response, now);
  });
}

/**
 * Renews the caller's own lease of a send. False: the lease has ended or another worker has taken
 * it.
 */
export async function renewLease(
  options: ClaimOptions,
  { movement, leaseToken }: { movement: MovementRow; leaseToken: string },
): Promise<boolean> {
  return inTransaction(options.merchantId, async (tx) => {
    const { lease, nextAt } = leased(leaseToken, (await databaseNow(tx)).getTime());
    const renewed = await tx.$executeRaw(
      kept(sql`
      UPDATE movements SET lease_until = ${date(lease.until)}, next_at = ${date(nextAt)}
      WHERE id = ${movement.id}::uuid AND state = 'SUBMITTING' AND lease_token = ${leaseToken}::uuid
        AND lease_until > clock_timestamp()`),
    );
    return renewed === 1;
  });
}

async function recordByWorker(
  tx: Tx,
  options: ClaimOptions,
  movement: MovementRow,
  evidence: Evidence,
  now: number,
): Promise<MovementRow> {
  return record(tx, worker(options), movement, evidence, now, (after) =>
    queueAfter(movement, evidence, after, now, options.policy, options.random),
  );
}

async function defer(tx: Tx, movement: MovementRow, until: number | null): Promise<Claim> {
  await tx.$executeRaw`UPDATE movements SET next_at = ${date(until)} WHERE id = ${movement.id}::uuid`;
  return { kind: 'settled' };
}

/** The hash of the request that the movement's own kind makes. */
export function requestHash({ kinds }: Pick<ClaimOptions, 'kinds'>) {
  return (movement: MovementRow): string => workerKind(kinds, movement).requestHash(movement);
}

function worker(options: ClaimOptions): { kind: 'worker'; merchantId: string } {
  return { kind: 'worker', merchantId: options.merchantId };
}
