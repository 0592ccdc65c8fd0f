/**
 * Makes the last ninety days of the demo's merchant in the order of time: the actions of its people and
 * the results at the providers. Every run makes the same events, ending now.
 */
import type { Role } from '#lib/access/actor.ts';
import { actAs, disconnect } from '#lib/runtime/db.ts';
import type { DatabaseRole } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { addDays, dayIn, dayRange } from '#lib/values/dates.ts';
import {
  addPlan,
  capture,
  chargeBack,
  checkAuthorizations,
  LINKS,
  makeLinks,
  pasteOrders,
  refund,
  saveCards,
} from './cards.ts';
import { control, openClock } from './clock.ts';
import { acknowledgeOlderDifferences, closeLastDays, DAYS, readRecords } from './days.ts';
import { openDesk } from './desk.ts';
import type { Desk } from './desk.ts';
import { MAIN_WALLET, pay, paySentBack, prepare, transferToBranch } from './payouts.ts';
import { signIn } from './people.ts';
import { agreeOnPolicy } from './policy.ts';
import { NEW_SUPPLIER, PAYEES } from './recipients.ts';
import type { Payee } from './recipients.ts';
import { takeWebhooks } from './webhooks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Payments are made on mornings, three at a time, and more often from month to month. */
const MORNINGS = 20;
const AT_A_TIME = 3;
/** Days ago on which the card sales since the last time are pasted: first weekly, then daily. */
const CARD_MORNINGS = [
  ...Array.from({ length: 9 }, (_, week) => 91 - 7 * week),
  ...Array.from({ length: 28 }, (_, n) => 28 - n),
];

/** An event at `at`, in milliseconds since 1970. */
type Scene = { at: number; play: (desk: Desk) => Promise<unknown> };

/** `webhooks`: the address to which the sandbox sends its webhooks. */
export async function writeHistory(
  sandboxUrl: string,
  webhooks: { host: string; port: number },
): Promise<void> {
  actAs('demo_history' as DatabaseRole);
  const end = Date.now();
  const events = [
    ...payouts(),
    ...approvals(end),
    ...transfers(),
    ...topUps(),
    ...cards(),
    ...lastHour(end),
  ].sort((one, other) => one.at - other.at);
  // The policy is agreed on before anything is paid, whatever the hour and the weekday of the start.
  const begin = events[0]!.at - HOUR_MS;
  const clock = await openClock(begin, {
    databaseUrl: env().databaseUrl,
    sandboxUrl,
  });
  const taking = await takeWebhooks(sandboxUrl, webhooks);
  const desk = await openDesk(clock, sandboxUrl, taking);
  for (const { at, play } of [{ at: begin, play: agreeOnPolicy }, ...events]) {
    await desk.workUntil(at);
    await play(desk);
  }
  await clock.end();
  await desk.workUntil(Date.now());
  await readRecords();
  await closeLastDays(desk);
  await acknowledgeOlderDifferences(desk);
  await taking.close();
  await disconnect();
}

/**
 * Returns the time of `hour` o'clock in the workspace's zone, `back` days ago; a weekend becomes
 * the Friday before. Must be called before the clock is set back.
 */
function at(back: number, hour: number): number {
  const day = addDays(dayIn(new Date().toISOString(), env().timeZone), -back);
  const weekday = new Date(day).getUTCDay();
  const shift = weekday === 6 ? 1 : weekday === 0 ? 2 : 0;
  return Date.parse(dayRange(addDays(day, -shift), env().timeZone).from) + hour * HOUR_MS;
}

function payouts(): Scene[] {
  return Array.from({ length: MORNINGS * AT_A_TIME }, (_, n) => {
    const payee = PAYEES[n % PAYEES.length]!;
    const morning = Math.floor(n / AT_A_TIME);
    const back = 2 + Math.round((DAYS - 4) * (1 - morning / (MORNINGS - 1)) ** 1.6);
    return {
      at: at(back, 10) + (n % AT_A_TIME) * 4 * MINUTE_MS,
      play: (desk) => pay(desk, payee, amountOf(payee.lira, n)),
    };
  });
}

/**
 * Payouts that the policy stops: one is approved, one is sent back, and three wait at the end: a
 * usual one, a first payment, and one that needs two people.
 */
function approvals(end: number): Scene[] {
  const waits = (minutes: number, payee: Payee, amount: string): Scene => ({
    at: end - minutes * MINUTE_MS,
    play: (desk) => prepare(desk, payee, amount),
  });
  return [
    { at: at(6, 11), play: (desk) => pay(desk, PAYEES[5]!, '38.640,00') },
    {
      at: at(3, 11),
      play: (desk) =>
        paySentBack(desk, PAYEES[1]!, {
          amount: '27.300,00',
          reason: 'Faturada 23.700,00 yazıyor; tutarı düzeltip yeniden gönderin',
        }),
    },
    waits(48, PAYEES[8]!, '31.450,00'),
    waits(26, NEW_SUPPLIER, '44.120,10'),
    waits(17, PAYEES[7]!, '260.000,00'),
  ];
}

function transfers(): Scene[] {
  return [86, 72, 58, 44, 30, 23, 16, 9, 2].map((back, n) => ({
    at: at(back, 9.9),
    play: (desk) => transferToBranch(desk, `${1_400 + n * 150},00`),
  }));
}

/** The customers' payments into the main wallet; two payments cannot be loaded. */
function topUps(): Scene[] {
  const loaded = [83, 70, 61, 48, 37, 30, 27, 24, 20, 17, 13, 10, 6, 3].map((back, n) => ({
    at: at(back, 10.5),
    play: (desk: Desk) =>
      control(desk.sandboxUrl, `wallets/${MAIN_WALLET}/topup`, {
        amount: `${18_500 + n * 2_350}.00`,
        sender_name: 'Toros Perakende Ltd. Şti.',
        sender_iban: 'TR490004600000000007713305',
        description: `Sipariş ödemesi ${2_041 + n}`,
        bank_receipt_no: `77${8_100 + n}`,
      }),
  }));
  // The control interface answers with an error when the bank could not load a payment.
  const failed = [
    { back: 8, wallet: MAIN_WALLET, receipt: '778100', amount: '24500.00' },
    { back: 2, wallet: '4410279999', receipt: '778190', amount: '8640.00' },
  ].map(({ back, wallet, receipt, amount }) => ({
    at: at(back, 11),
    play: (desk: Desk) =>
      control(desk.sandboxUrl, `wallets/${wallet}/topup`, {
        amount,
        sender_name: 'İnci Butik Tekstil',
        sender_iban: 'TR810006400000000005120981',
        description: 'Sipariş ödemesi 2055',
        bank_receipt_no: receipt,
      }).catch(() => undefined),
  }));
  return [...loaded, ...failed];
}

function cards(): Scene[] {
  return [
    ...CARD_MORNINGS.map((back) => ({ at: at(back, 10.6), play: pasteOrders })),
    { at: at(7, 10.6), play: addPlan },
    { at: at(6, 10.6), play: saveCards },
    { at: at(4, 10.6), play: (desk) => makeLinks(desk, LINKS.slice(0, 1)) },
    { at: at(6, 10.7), play: (desk) => capture(desk, false) },
    { at: at(1, 10.7), play: (desk) => capture(desk, true) },
    { at: at(5, 10.6), play: refund },
    { at: at(1, 10.8), play: chargeBack },
  ];
}

/**
 * Sign-ins, card sales and links of today, and two payouts; the answer of the second is lost:
 * unknown until its record is found.
 */
function lastHour(end: number): Scene[] {
  const signsIn = (role: Role, minutes: number): Scene => ({
    at: end - minutes * MINUTE_MS,
    play: (desk) => signIn(desk, role),
  });
  return [
    signsIn('approver', 58),
    signsIn('clerk', 55),
    { at: end - 40 * MINUTE_MS, play: pasteOrders },
    { at: end - 35 * MINUTE_MS, play: checkAuthorizations },
    { at: end - 30 * MINUTE_MS, play: (desk) => makeLinks(desk, LINKS.slice(1)) },
    { at: end - 50 * MINUTE_MS, play: (desk) => pay(desk, PAYEES[9]!, '6.780,00') },
    {
      at: end - MINUTE_MS,
      async play(desk) {
        await control(desk.sandboxUrl, 'faults', {
          operation: 'SendMoneyToBankAccount',
          kind: 'lost_before',
          times: 1,
        });
        await pay(desk, PAYEES[3]!, '9.480,00');
      },
    },
  ];
}

/** The kuruş of an amount select what the sandbox's bank does with it (/sandbox/magic). */
const KURUS: Record<number, string> = {
  17: '41',
  38: '41',
  29: '44',
  51: '44',
  57: '43',
  54: '45',
};

function amountOf([least, most]: [number, number], n: number): string {
  const lira = least + Math.round(((n * 7919) % 1_000) * ((most - least) / 1_000));
  return `${lira},${KURUS[n] ?? (n % 4 === 0 ? '50' : '00')}`;
}
