import type { Payment } from './provider.ts';
import type { LineText } from './wire.ts';
import type { World } from './world.ts';

/** The wallet's ledger as the provider lists it. */

export const FEE = 600n;
const WALLET = '1000000001';

/** The entries of payments accepted between `from` and `to`, once they are posted. */
export function ledgerLines(
  world: World,
  payments: readonly Payment[],
  from: number,
  to: number,
): LineText[] {
  const { now } = world.agenda;
  const { returnShows, feeApart } = world.knobs.questions;
  const lines: LineText[] = [];
  for (const one of payments) {
    if (one.postedAt === null || one.postedAt > now || one.acceptedAt < from || one.acceptedAt > to)
      continue;
    const back = one.back !== null && one.back.postedAt <= now ? one.back : null;
    const whole = back?.amountMinor === one.amountMinor;
    lines.push({
      ...outgoing(one, one.transactionId),
      refersTo: one.transactionId,
      type: one.transfer ? 3004 : 2002,
      status: whole && returnShows !== 'credit' ? 60 : 20,
      amountMinor: one.amountMinor,
      feeMinor: feeApart ? 0n : FEE,
      to: one.transfer ? one.to : null,
    });
    if (feeApart)
      lines.unshift({
        ...outgoing(one, `8${one.transactionId.slice(1)}`),
        type: 2009,
        amountMinor: FEE,
      });
    if (back !== null && (!whole || returnShows !== 'status60'))
      lines.unshift({
        ...incoming(back.transactionId, back.amountMinor),
        refersTo: one.transactionId,
        type: 2003,
      });
    if (world.knobs.faults.decoy > 0) lines.unshift(...decoysOf(one));
  }
  return lines;
}

const outgoing = ({ extId }: Payment, id: string): Omit<LineText, 'type' | 'amountMinor'> => ({
  id,
  refersTo: null,
  status: 20,
  feeMinor: 0n,
  extId,
  from: WALLET,
  to: null,
});

const incoming = (id: string, amountMinor: bigint): Omit<LineText, 'type'> => ({
  id,
  refersTo: null,
  status: 20,
  amountMinor,
  feeMinor: 0n,
  extId: null,
  from: null,
  to: WALLET,
});

/** Credits of the same amount that do not belong to the payment, for the product to tell apart. */
function decoysOf({ transactionId, amountMinor }: Payment): LineText[] {
  const other = `6${transactionId.slice(1)}`;
  return [
    { ...incoming(`5${transactionId.slice(1)}`, amountMinor), type: 1001 },
    { ...incoming(other, amountMinor), refersTo: other, type: 1001 },
  ];
}
