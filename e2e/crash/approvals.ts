import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../database.ts';
import { until } from './trouble.ts';
import { press, signIn, type Visitor } from './web.ts';

/**
 * The approvals of a storm: two people give a policy before it, make it stricter in the middle, and
 * approve what waits, both at once, while the webs are killed. What has left is judged by the
 * stored approvals, without any of the product's own rules.
 */

/** From this amount on a payout or a refund needs approvals: kuruş. */
const FROM_MINOR = 5_000;
const CLASSES = ['payout', 'refund'];
const STORED_KINDS = `('payout', 'cashout', 'card_refund')`;
const LOOK_MS = 200;
const AGREE_MS = 120_000;
/** An attempt is dated by the begin of its transaction, which may have waited for the approval. */
const CLAIM_BEGAN = `interval '5 s'`;

export type Approvers = readonly [owner: Visitor, approver: Visitor];

/** `origins`: the webs that the two use; by default both. */
export async function signInApprovers(origins?: readonly string[]): Promise<Approvers> {
  return [await signIn('selin@demo.test', origins), await signIn('mehmet@demo.test', origins)];
}

/**
 * The owner proposes a policy for `people` and the other one confirms it. A press or its answer may
 * be lost with its web, so both press until the policy is stored.
 */
export function agreeOnPolicy([owner, approver]: Approvers, people: 1 | 2): Promise<void> {
  const rule = {
    when: 'amount',
    classes: CLASSES,
    wallets: '',
    amount: (FROM_MINOR / 100).toFixed(2),
    currency: 'TRY',
    approvals: String(people),
    who: 'approver',
  };
  return until(
    `there is a policy for ${people}`,
    async () => {
      const fields = {
        rules: JSON.stringify([rule]),
        stepUp: JSON.stringify({ from: [], signInAllowed: true }),
        reason: 'Agreed in the weekly meeting',
      };
      await press(owner, { action: 'proposeRules', path: '/policy', fields }, 1);
      const [proposal] = await rows<{ id: string }>(
        'SELECT id FROM policy_proposals ORDER BY proposed_at DESC LIMIT 1',
      ).catch(() => []);
      const id = proposal?.id ?? '';
      await press(approver, { action: 'confirmRules', path: '/policy', fields: { id } }, 1);
      const [version] = await rows<{ people: number }>(
        `SELECT (rules -> 0 ->> 'approvals')::int AS people FROM policy_versions
          ORDER BY version DESC LIMIT 1`,
      ).catch(() => []);
      return version?.people === people;
    },
    AGREE_MS,
  );
}

/** Removes the policies: the other crash tests pay without approvals, on the same product. */
export async function forgetPolicies(): Promise<void> {
  await rows('ALTER TABLE policy_versions DISABLE TRIGGER policy_versions_append_only');
  await rows('DELETE FROM policy_versions');
  await rows('ALTER TABLE policy_versions ENABLE TRIGGER policy_versions_append_only');
}

/** Approves whatever waits, each of the two by a press of their own, until `isOver` and none is left. */
export async function approveAll(
  approvers: Approvers,
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const over = isOver();
    const waiting = await approveSome(approvers);
    if (over && waiting === 0) return;
    await pause(LOOK_MS, undefined, { signal });
  }
}

/**
 * Presses for a few that wait. Returns how many these were; null when the database did not answer.
 */
export async function approveSome(approvers: Approvers): Promise<number | null> {
  const waiting = await rows<{ id: string; seen: string }>(
    `SELECT id, content_hash AS seen FROM movements WHERE state = 'AWAITING_APPROVAL'
      ORDER BY created_at LIMIT 4`,
  ).catch(() => null);
  await Promise.all(
    (waiting ?? []).flatMap(({ id, seen }) =>
      approvers.map((person) =>
        press(
          person,
          {
            action: 'approveWaiting',
            path: `/approvals/${id}`,
            fields: { id, seenHash: seen },
          },
          1,
        ),
      ),
    ),
  );
  return waiting?.length ?? null;
}

export type Approved = {
  id: string;
  /** How many people the policy asked for when the last approval was given. */
  needed: number;
  /** Whose approvals of exactly the stored content were there before the first request. */
  people: string[];
  maker: string;
};

/** Every movement that has left although, or because, a policy concerned it. */
export function readApproved(): Promise<Approved[]> {
  return rows(`
    SELECT m.id, m.maker_id AS maker,
      (SELECT max((v.rules -> 0 ->> 'approvals')::int) FROM policy_versions v
        WHERE v.valid_from <= given.last) AS needed,
      coalesce(given.people, '{}') AS people
    FROM movements m
    JOIN LATERAL (SELECT min(at) AS first FROM attempts a WHERE a.movement_id = m.id) sent ON TRUE
    LEFT JOIN LATERAL (SELECT array_agg(DISTINCT p.person_id::text) AS people, max(p.created_at) AS last
      FROM approvals p WHERE p.movement_id = m.id AND p.content_hash = m.content_hash
        AND p.created_at <= sent.first + ${CLAIM_BEGAN}) given ON TRUE
    WHERE m.kind IN ${STORED_KINDS} AND m.amount_minor >= ${FROM_MINOR} AND sent.first IS NOT NULL`);
}
