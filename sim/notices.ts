import { MINUTE } from './knobs.ts';
import type { Payment } from './provider.ts';
import { receiveNotice } from './desk.ts';
import { DatabaseFault } from './database.ts';
import type { World } from './world.ts';

/** Notices: the provider's own, which may be lost, doubled, late and out of order, and those of somebody who only knows the address. */

const LATE_MAX_MS = 30 * MINUTE;
const FLOOD = 60;
const STATUSES = ['1', '2', '3', '4', '5', '9'] as const;

export function postNotice(world: World, payment: Payment, status: string): void {
  const random = world.random(`notice ${payment.requestId} ${status}`);
  const body = noticeBody(payment.extId, status, payment.requestId, status === '1' || status === '5' ? payment.transactionId : '0', payment.amountMinor);
  if (world.fault('noticeLost', random)) return;
  const late = world.fault('noticeLate', random) ? random.spread(1_000, LATE_MAX_MS) : random.between(50, 3_000);
  world.later(late, () => deliver(world, body));
  if (world.fault('noticeTwice', random)) world.later(late + random.spread(10, LATE_MAX_MS), () => deliver(world, body));
}

/** Forged ones may name a real reference, and say whatever they like about it. */
export function planForgeries(world: World): void {
  const random = world.random('forger');
  const { forged, flood } = world.knobs.faults;
  const name = (): string => {
    const rows = [...world.database.rows()];
    return rows.length > 0 && random.chance(0.9) ? random.pick(rows).extId : 'NOBODYHASTHISID00001';
  };
  const forge = (extId: string): void => {
    world.stats.forged++;
    const lie = { status: random.pick(STATUSES), id: `7${random.between(1e15, 9e15)}`, amount: BigInt(random.between(1, 1_000_000)) };
    deliver(world, noticeBody(extId, lie.status, lie.id, `9${lie.id.slice(1)}`, lie.amount));
  };
  for (let n = forged > 0 ? random.between(1, 12) : 0; n > 0; n--) world.agenda.at(random.between(0, world.knobs.healsAt), () => forge(name()));
  if (flood > 0) {
    world.agenda.at(random.between(0, world.knobs.healsAt), () => {
      const extId = name();
      for (let n = 0; n < FLOOD; n++) world.agenda.after(n * 500, () => forge(extId));
    });
  }
}

function deliver(world: World, body: string): void {
  world.stats.notices++;
  try {
    world.database.transaction('notice', (tx) => receiveNotice(tx, body));
  } catch (error) {
    // The sender hears an error and sends it again later, or never: both happen anyway.
    if (!(error instanceof DatabaseFault)) throw error;
  }
}

/** Long ids are numbers, and a successful notice carries status 2 and code "312": as in the genuine sample. */
function noticeBody(extId: string, status: string, requestId: string, transactionId: string, amountMinor: bigint): string {
  return `{"tenant_id":12,"amount":${amountMinor}.00,"currency_code":"TRY","ext_transaction_id":"${extId}","request_withdraw_id":${requestId},"transaction_id":${transactionId},` +
    `"wallet_number":"1000000001","before_process_status":0,"after_process_status":${status},"to_iban":"TR00","response_status":2,"response_code":"312","reason":"x"}`;
}
