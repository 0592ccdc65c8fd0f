import 'server-only';
import { kept, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { gateOpensAt, gatePassesSince } from './claim-rules.ts';
import { date } from './evidence.ts';
import type { MovementRow } from './row.ts';
import { ibanCooldownOf } from './schedule.ts';

/**
 * A provider refuses a second transfer to one IBAN within its cool-down, and such a refusal could
 * be caused by our own first request. So no two sends to one IBAN are claimed within that time,
 * whichever worker makes them: the row is the gate.
 */
export async function closeIbanGate(
  tx: Tx,
  merchantId: string,
  movement: Pick<MovementRow, 'kind' | 'iban'>,
  now: number,
): Promise<'passed' | { opensAt: number }> {
  const { iban } = movement;
  const cooldownMs = ibanCooldownOf(movement);
  if (cooldownMs === null) return 'passed';
  const passed = await tx.$executeRaw(
    kept(sql`
    INSERT INTO iban_gates (merchant_id, iban, last_send_at)
      VALUES (${merchantId}::uuid, ${iban}, ${date(now)})
    ON CONFLICT (merchant_id, iban) DO UPDATE SET last_send_at = excluded.last_send_at
    WHERE iban_gates.last_send_at <= ${date(gatePassesSince(now, cooldownMs))}`),
  );
  if (passed === 1) return 'passed';
  const [gate] = await tx.$queryRaw<
    [{ last_send_at: Date }]
  >`SELECT last_send_at FROM iban_gates WHERE merchant_id = ${merchantId}::uuid AND iban = ${iban}`;
  return { opensAt: gateOpensAt(gate.last_send_at.getTime(), cooldownMs) };
}

/**
 * A send that provably never left, or was refused as unauthorized, does not block the IBAN. Only
 * the gate that this send closed is opened.
 */
export async function openIbanGate(
  tx: Tx,
  merchantId: string,
  movement: MovementRow,
): Promise<void> {
  if (ibanCooldownOf(movement) === null) return;
  await tx.$executeRaw`
    UPDATE iban_gates SET last_send_at = 'epoch' WHERE merchant_id = ${merchantId}::uuid
      AND iban = ${movement.iban} AND last_send_at = ${date(movement.lastSendAt)}`;
}
