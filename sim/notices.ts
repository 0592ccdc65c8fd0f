import type { Payment } from './provider.ts';
import { receiveNotice } from './desk.ts';
import { DatabaseFault } from './database.ts';
import type { Row } from './store.ts';
import { HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/**
 * Webhooks: the provider's own, which may be lost, doubled, late and out of order, and those of an
 * attacker who knows nothing but the address.
 */

const LATE_MAX_MS = 30 * MINUTE;
const FLOOD = 60;
const NOBODY = 'NOBODYHASTHISID00001';

export function postNotice(world: World, payment: Payment, status: string): void {
  const random = world.random(`notice ${payment.requestId} ${status}`);
  const fields = {
    extId: payment.extId,
    status,
    requestId: payment.requestId,
    transactionId: status === '1' || status === '5' ? payment.transactionId : '0',
    amountMinor: payment.amountMinor,
  };
  const number = ++payment.webhooksSent;
  if (world.fault('noticeLost', random)) return;
  const arrive = (): void => {
    meets(world, payment, number);
    deliver(world, noticeBody(fields));
  };
  const late = world.fault('noticeLate', random)
    ? random.spread(1_000, LATE_MAX_MS)
    : random.between(50, 3_000);
  world.later(late, arrive);
  if (world.fault('noticeTwice', random)) {
    world.later(late + random.spread(10, LATE_MAX_MS), () => {
      world.lives.meets(payment.extId, 'notice repeated');
      arrive();
    });
  }
  // An attacker who recorded a webhook replays it hours later, with one more space, so that the
  // body differs.
  if (world.fault('replayed', random)) {
    world.later(random.between(HOUR, 30 * HOUR), () => {
      world.lives.meets(payment.extId, 'old notice replayed');
      deliver(world, `${noticeBody(fields)} `);
    });
  }
}

function meets(world: World, payment: Payment, number: number): void {
  const row = [...world.database.rows()].find((one) => one.extId === payment.extId);
  if (row?.state === 'SUBMITTING' && row.requestId === null)
    world.lives.meets(payment.extId, 'notice before our answer');
  if (number < payment.webhooksReceived) world.lives.meets(payment.extId, 'notice out of order');
  payment.webhooksReceived = Math.max(payment.webhooksReceived, number);
}

/** Plans forged webhooks, which may name a real reference, with any content. */
export function planForgeries(world: World): void {
  const random = world.random('forger');
  const { faults, forgedSays, healsAt } = world.knobs;
  const pick = (): Row | null => {
    const rows = [...world.database.rows()];
    return rows.length > 0 && random.chance(0.9) ? random.pick(rows) : null;
  };
  const forge = (row: Row | null): void => {
    world.stats.forged++;
    const status = random.pick(forgedSays);
    const id = `7${random.between(1e15, 9e15)}`;
    const extId = row?.extId ?? NOBODY;
    if (row === null) world.lives.meets(extId, 'notice for nobody');
    // A forged status can mislead only about a row that was sent and did not end without a payment.
    else if (row.sends > 0 && (row.endedAt === null || row.state === 'COMPLETED'))
      world.lives.meets(extId, status === '5' ? 'forged return' : 'forged end');
    deliver(
      world,
      noticeBody({
        extId,
        status,
        requestId: id,
        transactionId: `9${id.slice(1)}`,
        amountMinor: BigInt(random.between(1, 1_000_000)),
      }),
    );
  };
  for (let n = faults.forged > 0 ? random.between(1, 12) : 0; n > 0; n--)
    world.plans('forged', random.between(0, healsAt), () => forge(pick()));
  if (faults.flood > 0) {
    world.plans('flood', random.between(0, healsAt), () => {
      const row = pick();
      if (row !== null) world.lives.meets(row.extId, 'notice flood');
      for (let n = 0; n < FLOOD; n++) world.agenda.after(n * 500, () => forge(row));
    });
  }
}

function deliver(world: World, body: string): void {
  world.stats.notices++;
  try {
    world.database.transaction('notice', (tx) => receiveNotice(tx, body));
  } catch (error) {
    // The sender receives an error and may send the webhook again. No such retry is played: other
    // faults already repeat and lose webhooks.
    if (!(error instanceof DatabaseFault)) throw error;
  }
}

type NoticeFields = {
  extId: string;
  status: string;
  requestId: string;
  transactionId: string;
  amountMinor: bigint;
};

/**
 * The body of a webhook. As in the genuine sample, long ids are numbers, and a successful webhook
 * carries status 2 and code "312".
 */
function noticeBody({
  extId,
  status,
  requestId,
  transactionId,
  amountMinor,
}: NoticeFields): string {
  return (
    `{"tenant_id":12,"amount":${amountMinor}.00,"currency_code":"TRY",` +
    `"ext_transaction_id":"${extId}","request_withdraw_id":${requestId},` +
    `"transaction_id":${transactionId},` +
    `"wallet_number":"1000000001","before_process_status":0,"after_process_status":${status},` +
    '"to_iban":"TR00","response_status":2,"response_code":"312","reason":"x"}'
  );
}
