import 'server-only';
import { randomBytes } from 'node:crypto';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import type { ChallengeParts, StepUpPurpose } from '#lib/step-up/challenge.ts';

/** The table's guard refuses an answer that is later. */
export const STEP_UP_SECONDS = 180;
const NONCE_BYTES = 32;

export type AskedChallenge = ChallengeParts & { id: string };

const CHALLENGE = columns('step_up_challenges', [
  'id',
  'purpose',
  'nonce',
  'policy_version',
  'items',
]);

/** Stores what a person is asked to sign. `items`: hashes by `stepUpItem`, none for `add_key`. */
export async function storeChallenge(
  tx: Tx,
  { merchantId, personId }: Person,
  { purpose, policyVersion, items }: Omit<ChallengeParts, 'nonce'>,
): Promise<AskedChallenge> {
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  const [row] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO step_up_challenges (merchant_id, person_id, purpose, nonce, policy_version, items)
    VALUES (${merchantId}::uuid, ${personId}::uuid, ${purpose}, ${nonce}, ${policyVersion},
      ${JSON.stringify(items)}::jsonb) RETURNING id`;
  return { id: row.id, purpose, nonce, policyVersion, items };
}

/**
 * The challenge that this person was asked and has not answered yet.
 *
 * @throws Refusal step_up_expired
 */
export async function openChallenge(
  tx: Tx,
  { personId }: Person,
  id: string,
): Promise<AskedChallenge> {
  const [row] = UUID.test(id)
    ? await tx.$queryRaw<RowOf<typeof CHALLENGE, { purpose: StepUpPurpose; items: string[] }>[]>`
    SELECT ${CHALLENGE} FROM step_up_challenges WHERE id = ${id}::uuid
      AND person_id = ${personId}::uuid
      AND asked_at > clock_timestamp() - make_interval(secs => ${STEP_UP_SECONDS})
      AND NOT EXISTS (SELECT FROM step_ups s WHERE s.challenge_id = step_up_challenges.id)`
    : [];
  if (!row) throw new Refusal('step_up_expired');
  const { purpose, nonce, policy_version: policyVersion, items } = row;
  return { id: row.id, purpose, nonce, policyVersion, items };
}
