import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inTransaction } from '#lib/runtime/db.ts';
import type { Row, RowOf } from '#lib/runtime/db.ts';
import { groupIban, maskIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import { maskWallet } from '#lib/values/mask-wallet.ts';
import { kindOf, movementAddress } from '#lib/movements/kinds.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { UUID } from '#lib/values/uuid.ts';
import {
  HELD_COLUMNS,
  heldOf,
  IS_HELD_CHARGE,
  IS_HELD_MOVEMENT,
} from '#lib/begin-check/confirmed.ts';
import type { HeldColumns } from '#lib/begin-check/confirmed.ts';
import { mayConfirm } from '#lib/begin-check/held.ts';
import type { HeldWhy } from '#lib/begin-check/held.ts';

const HELD_SHOWN = 200;

/**
 * A row that waits for a person's "send it" since a recovery. `who`: the payee, the order or the
 * plan. Amounts are decimal text, times ISO.
 */
export type HeldSend = {
  id: string;
  kind: KindName | 'plan_charge';
  why: Exclude<HeldWhy, null>;
  reference: string;
  name: string | null;
  who: string;
  address: string;
  amount: string;
  currency: string;
  maker: string;
  createdAt: string;
  can: { confirm: boolean; cancel: boolean };
};

/**
 * Lists the rows that wait for a person's "send it", the oldest first. `about`: only the movement
 * of this id, or the rows of the card payment or plan of this id.
 */
export async function listHeldSends(
  actor: Person,
  about: string | null = null,
): Promise<HeldSend[]> {
  return (await viewHeldSends(actor, about)).held;
}

/** The same list; `isCut`: more wait than the 200 movements and 200 charges that are shown. */
export async function viewHeldSends(
  actor: Person,
  about: string | null = null,
): Promise<{ held: HeldSend[]; isCut: boolean }> {
  assertMay(actor, 'movement.read');
  if (about !== null && !UUID.test(about)) return { held: [], isCut: false };
  return inTransaction(actor.merchantId, async (tx) => {
    const [recovery] = await tx.$queryRaw<unknown[]>`SELECT 1 FROM recoveries LIMIT 1`;
    if (recovery === undefined) return { held: [], isCut: false };
    const movements = await tx.$queryRaw<HeldMovement[]>`
      SELECT ${MOVEMENT.of('m')}, p.name AS maker, clock_timestamp() AS now, ${HELD_COLUMNS}
      FROM movements m JOIN people p ON p.id = m.maker_id WHERE m.state = 'APPROVED'
        AND ${IS_HELD_MOVEMENT} AND (${about}::uuid IS NULL OR ${about}::uuid IN (m.id, m.card_payment_id))
        ORDER BY m.created_at LIMIT ${HELD_SHOWN + 1}`;
    const charges = await tx.$queryRaw<HeldCharge[]>`
      SELECT ${CHARGE.of('c')}, r.plan_code, p.name AS maker
      FROM plan_charges c JOIN recurring_plans r ON r.id = c.plan_id
        JOIN people p ON p.id = c.person_id WHERE ${IS_HELD_CHARGE}
        AND (${about}::uuid IS NULL OR c.plan_id = ${about}::uuid) ORDER BY c.asked_at
        LIMIT ${HELD_SHOWN + 1}`;
    const held = [
      ...movements.slice(0, HELD_SHOWN).map((row) => movementOf(row, actor)),
      ...charges.slice(0, HELD_SHOWN).map((row) => chargeOf(row, actor)),
    ].filter((one) => one !== null);
    return { held, isCut: movements.length > HELD_SHOWN || charges.length > HELD_SHOWN };
  });
}

const MOVEMENT = columns('movements', [
  'id',
  'kind',
  'ext_id',
  'name',
  'iban',
  'to_wallet',
  'invoice_id',
  'card_payment_id',
  'amount_minor',
  'currency',
  'maker_id',
  'created_at',
]);
type HeldMovement = RowOf<typeof MOVEMENT, { kind: KindName }> &
  HeldColumns & { maker: string; now: Date };
const CHARGE = columns('plan_charges', ['id', 'plan_id', 'amount_minor', 'currency', 'asked_at']);
type HeldCharge = RowOf<typeof CHARGE> & Row<'recurring_plans', 'plan_code'> & { maker: string };

function movementOf(row: HeldMovement, actor: Person): HeldSend | null {
  const why = heldOf(row, row.created_at.getTime(), row.now.getTime());
  if (why === null) return null;
  const inControl = may(actor.role, 'sending.control');
  return {
    id: row.id,
    kind: row.kind,
    why,
    reference: row.ext_id,
    name: row.invoice_id === null ? row.name : null,
    who: row.invoice_id ?? payeeShown(row, may(actor.role, 'payee.read')),
    address: movementAddress({ kind: row.kind, id: row.id, cardPaymentId: row.card_payment_id }),
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    maker: row.maker,
    createdAt: row.created_at.toISOString(),
    can: {
      confirm:
        inControl &&
        mayConfirm(
          { needsOther: kindOf(row.kind).needsOtherAfterRestore, makerId: row.maker_id },
          actor.personId,
        ),
      cancel: may(actor.role, 'payout.cancel'),
    },
  };
}

function payeeShown({ iban, to_wallet: wallet }: HeldMovement, whole: boolean): string {
  if (wallet !== null) return whole ? wallet : maskWallet(wallet);
  return whole ? groupIban(iban) : maskIban(iban);
}

function chargeOf(row: HeldCharge, actor: Person): HeldSend {
  const inControl = may(actor.role, 'sending.control');
  return {
    id: row.id,
    kind: 'plan_charge',
    why: 'older',
    reference: row.id,
    name: null,
    who: row.plan_code,
    address: `/cards/recurring/${row.plan_id}`,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    maker: row.maker,
    createdAt: row.asked_at.toISOString(),
    can: { confirm: inControl, cancel: inControl },
  };
}
