import { cardOf } from '../card-api/card.ts';
import { charge } from '../card-api/charge.ts';
import { runCards } from '../card-api/due.ts';
import { insertOrder, orderById } from '../card-api/orders.ts';
import type { Payment } from '../card-api/payment.ts';
import { payBack } from '../card-api/refund.ts';
import type { World } from '../world.ts';

/**
 * Seeds card payments: sales of the last ninety days and, of the last four weeks, open
 * authorizations, declined payments, refunds and a recurring plan.
 */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PAYMENT_DAYS = 28;
/** Further back there are sales only, on every other day. */
const SALE_DAYS = 90;

const CARDS = [
  '4508034508034509',
  '5406675406675403',
  '4506347026523718',
  '5269737320050521',
  '4355084355084358',
  '4022774022774026',
  '5440931443094530',
];
const BUYERS = [
  'Elif Karaca',
  'Onur Tekin',
  'Seda Yalçın',
  'Kerem Bulut',
  'Nil Aksoy',
  'Tolga Erdem',
  'Derya Kılıç',
  'Baran Uysal',
];
const GOODS = [
  'Poplin kumaş',
  'Keten gömlek',
  'Pamuklu nevresim',
  'İpek şal',
  'Denim ceket',
  'Masa örtüsü',
];

function payment(
  invoiceId: string,
  buyer: string,
  description: string,
  total: bigint,
  more: Partial<Payment> = {},
): Payment {
  return {
    invoiceId,
    description,
    total,
    currency: 'TRY',
    installments: 1,
    pre: false,
    hookKey: '',
    plan: null,
    byMerchant: false,
    byUser: false,
    program: '',
    lang: 'tr',
    email: '',
    phone: '',
    buyer,
    ...more,
  };
}

function pay(world: World, wanted: Payment, number: string, at: number): string {
  const orderId = insertOrder(world, {
    kind: '3d',
    state: 'in_process',
    payment: wanted,
    card: cardOf(number),
    seeded: true,
    at,
  });
  charge(world, orderById(world, orderId), at);
  return orderId;
}

/** Must be called in the seeding transaction. `random` returns numbers in [0, 1). */
export function seedCards(world: World, random: () => number): void {
  const now = world.clock.now();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let count = 0;
  const invoice = (at: number): string =>
    `LDS-K-${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}-${String((count += 1)).padStart(4, '0')}`;
  for (let back = PAYMENT_DAYS; back >= 1; back--) {
    for (let i = 1 + Math.floor(random() * 2); i > 0; i--) {
      const at = now - back * DAY_MS + Math.floor(random() * 8 * HOUR_MS);
      const total = BigInt(Math.floor(900 + random() * 14_000)) * 100n + pick([0n, 50n, 90n]);
      const orderId = pay(
        world,
        payment(invoice(at), pick(BUYERS), pick(GOODS), total, {
          installments: random() < 0.25 ? 3 : 1,
        }),
        random() < 0.07 ? '4000000000000416' : pick(CARDS.slice(0, 6)),
        at,
      );
      if (random() >= 0.08 || orderById(world, orderId).state !== 'completed') continue;
      const { id } = world.store.run(
        `INSERT INTO card_refunds (order_id, amount, own_id, state, hook_key, due_at, created_at)
          VALUES (?, ?, NULL, 'waiting', '', NULL, ?)`,
        orderId,
        total / 2n,
        at + 5 * HOUR_MS,
      );
      const refund = world.store.get('SELECT * FROM card_refunds WHERE id = ?', id);
      if (refund) payBack(world, refund, at + 5 * HOUR_MS);
    }
  }
  for (const [back, total] of [
    [19, 640_000n],
    [12, 1_280_050n],
    [3, 219_900n],
    [1, 75_000n],
  ] as const)
    pay(
      world,
      payment(invoice(now - back * DAY_MS), pick(BUYERS), 'Ön provizyon: özel dikim', total, {
        pre: true,
      }),
      pick(CARDS),
      now - back * DAY_MS - 2 * HOUR_MS,
    );
  for (const currency of ['USD', 'EUR'])
    pay(
      world,
      payment(invoice(now - 6 * DAY_MS), 'Liman İhracat A.Ş.', 'Numune sevkiyatı', 420_000n, {
        currency,
      }),
      '5440931443094530',
      now - 6 * DAY_MS,
    );
  pay(
    world,
    payment(invoice(now - 40 * DAY_MS), 'Nil Aksoy', 'Aylık kumaş kutusu', 89_900n, {
      plan: { number: 12, cycle: 'M', every: 1, hookKey: '' },
    }),
    CARDS[0] as string,
    now - 40 * DAY_MS,
  );
  authorizeOrders(world, { now, pick, invoice });
  sellBefore(world, { now, pick, random });
  runCards(world, now);
}

/** Seeds the sales of the weeks before the last four. */
function sellBefore(
  world: World,
  { now, pick, random }: { now: number; pick: <T>(list: readonly T[]) => T; random: () => number },
): void {
  for (let back = SALE_DAYS; back > PAYMENT_DAYS; back -= 2) {
    const at = now - back * DAY_MS + Math.floor(random() * 8 * HOUR_MS);
    const total = BigInt(Math.floor(700 + random() * 11_000)) * 100n + pick([0n, 50n, 90n]);
    const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
    pay(
      world,
      payment(`LDS-K-${day}-0001`, pick(BUYERS), pick(GOODS), total),
      pick(CARDS.slice(0, 6)),
      at,
    );
  }
}

/** Seeds open authorizations of orders, on days that have no other authorization. */
function authorizeOrders(
  world: World,
  {
    now,
    pick,
    invoice,
  }: { now: number; pick: <T>(list: readonly T[]) => T; invoice: (at: number) => string },
): void {
  for (const [back, total] of [
    [18, 389_000n],
    [15, 912_500n],
    [9, 154_990n],
    [6, 477_000n],
    [5, 2_150_000n],
    [2, 98_050n],
  ] as const)
    pay(
      world,
      payment(invoice(now - back * DAY_MS), pick(BUYERS), 'Ön provizyon: sipariş', total, {
        pre: true,
      }),
      pick(CARDS),
      now - back * DAY_MS - 3 * HOUR_MS,
    );
}
