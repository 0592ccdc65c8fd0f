import type { World } from '../world.ts';
import { num } from '../store.ts';
import type { Card } from './card.ts';
import type { Payment } from './payment.ts';
import { AGRICULTURE_PAIRS, countsFor, feeOf, hasPos } from './pos.ts';

/**
 * Checks whether a payment may go to the bank with this card; a refusal is a code. Order of the
 * checks (assumed): programme (70), foreign card (76, 77), agriculture card (60, 1, 40), POS (102),
 * commission (37, 38), settlement (43), installments (40), cost (42), limits (48, 49, 44 to 47).
 */

const DAY_MS = 86_400_000;
const TURKISH_OFFSET_MS = 3 * 3_600_000;

const LIVE = "state NOT IN ('failed', 'link')";

function limitProblem(world: World, payment: Payment): number | null {
  const {
    daily_count: dayCount,
    daily_amount: dayAmount,
    monthly_count: monthCount,
    monthly_amount: monthAmount,
  } = world.cardMerchant;
  if (dayCount + dayAmount + monthCount + monthAmount === 0) return null;
  const local = world.clock.now() + TURKISH_OFFSET_MS;
  const day = Math.floor(local / DAY_MS) * DAY_MS - TURKISH_OFFSET_MS;
  const month =
    Date.parse(`${new Date(local).toISOString().slice(0, 7)}-01T00:00:00Z`) - TURKISH_OFFSET_MS;
  const used = (since: number): { count: number; sum: bigint } => {
    const row = world.store.get(
      `SELECT COUNT(*) AS count, COALESCE(SUM(total), 0) AS sum FROM card_orders
        WHERE created_at >= ? AND seeded = 0 AND ${LIVE}`,
      since,
    );
    return { count: num(row?.count), sum: BigInt(num(row?.sum)) };
  };
  const [today, thisMonth] = [used(day), used(month)];
  if (dayCount > 0 && today.count >= dayCount) return 44;
  if (dayAmount > 0 && today.sum + payment.total > BigInt(dayAmount)) return 45;
  if (monthCount > 0 && thisMonth.count >= monthCount) return 46;
  if (monthAmount > 0 && thisMonth.sum + payment.total > BigInt(monthAmount)) return 47;
  return null;
}

/**
 * Returns the refusal code of an agriculture card: 60 outside paySmart3D, 1 without the fields of
 * maturity and frequency, 40 for a pair that is not allowed (60 and 40 assumed); null for other
 * cards and allowed pairs.
 */
function agricultureProblem(
  card: Card,
  pair: { maturity: string; frequency: string } | null,
): number | null {
  if (!card.agriculture) return null;
  if (pair === null) return 60;
  if (pair.maturity === '' || pair.frequency === '') return 1;
  return AGRICULTURE_PAIRS.some(
    ([maturity, frequency]) =>
      pair.maturity === String(maturity) && pair.frequency === String(frequency),
  )
    ? null
    : 40;
}

export function cardProblem(
  world: World,
  payment: Payment,
  card: Card,
  pair: { maturity: string; frequency: string } | null,
): number | null {
  const merchant = world.cardMerchant;
  if (payment.program !== '' && card.program !== '' && payment.program !== card.program) return 70;
  if (card.foreign && merchant.foreign_cards !== 'allowed')
    return merchant.foreign_cards === 'refused' ? 76 : 77;
  const agriculture = agricultureProblem(card, pair);
  if (agriculture !== null) return agriculture;
  if (!hasPos(world, card, payment.currency)) return 102;
  if (!merchant.pos_commission) return 37;
  if (merchant.commission !== 'set') return 38;
  if (!merchant.settlement_term) return 43;
  if (!countsFor(world, card, payment.currency).includes(payment.installments)) return 40;
  if (payment.total <= feeOf(payment.total, payment.installments)) return 42;
  if (payment.total < BigInt(merchant.min_amount)) return 48;
  if (payment.total > BigInt(merchant.max_amount)) return 49;
  return limitProblem(world, payment);
}
