import { createHash } from 'node:crypto';
import type { World } from '../world.ts';
import { seedCards } from './cards.ts';
import { seedHookKeys } from './hook-keys.ts';
import {
  DEMO_PASSWORD,
  MAIN_WALLET,
  MERCHANT,
  MERCHANT_ID,
  OTHER_MERCHANT_ID,
  PEOPLE,
  WALLETS,
} from './merchant.ts';
import { ACCOUNTS, RECEIVERS } from './receivers.ts';
import { DAY_MS, HISTORY_DAYS, randomOf, eventsOfHistory } from './story.ts';
import type { Event } from './story.ts';
import { seedEvent, seedWallet } from './wallets.ts';

/**
 * Seeds the movements of the last months: the same seed gives the same movements, laid out
 * backwards from now. Each wallet gets the opening balance for which opening + in - out - fees
 * equals its closing balance.
 */

export function passwordHash(password: string, email: string): string {
  return createHash('sha256').update(`${email}\n${password}`).digest('hex');
}

/**
 * Fills an empty store, with dates relative to the clock's time. Leaves out the payouts from
 * `paidElsewhereUntil` on, except the last one: another program makes the merchant's payouts of
 * that time.
 */
export function seedWorld(world: World, seed: number, paidElsewhereUntil = Infinity): void {
  world.store.tx(() => {
    const now = world.clock.now();
    world.store.write('seed', String(seed));
    seedPeople(world);
    seedCardGateway(world, seed);
    const all = eventsOfHistory(seed, now);
    const later = all.filter(({ at, kind }) => kind === 'payout' && at >= paidElsewhereUntil);
    const dropped = new Set(later.slice(0, -1));
    // Without these payouts the main wallet would only grow: customers pay less.
    const events = all
      .filter((event) => !dropped.has(event))
      .map((event) => (event.at < paidElsewhereUntil ? event : paidLess(event)));
    const opening = Math.floor(now / DAY_MS) * DAY_MS - (HISTORY_DAYS + 1) * DAY_MS;
    for (const wallet of WALLETS) seedWallet(world, wallet, events, opening, now);
    events.forEach((event, index) => seedEvent(world, event, index));
    seedReceivers(world);
  });
}

/** A third of what a customer paid into the main wallet, in whole lira. */
function paidLess(event: Event): Event {
  if (event.kind !== 'topup' || event.to !== MAIN_WALLET) return event;
  return { ...event, amount: (event.amount / 300n) * 100n };
}

/** Seeds the accounts and wallets of others, also into a data folder from before these existed. */
export function seedReceivers(world: World): void {
  if (world.store.get('SELECT 1 AS hit FROM accounts LIMIT 1')) return;
  const now = world.clock.now();
  const opening = now - HISTORY_DAYS * DAY_MS;
  world.store.tx(() => {
    for (const one of ACCOUNTS)
      world.store.run(
        `INSERT INTO accounts (id, number, kind, name, first_name, last_name, phone_country, phone,
          access) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        one.id,
        one.number,
        one.kind,
        one.name,
        one.first,
        one.last,
        one.phoneCountry,
        one.phone,
        one.access,
      );
    for (const wallet of RECEIVERS.flatMap((one) => one.wallets))
      seedWallet(world, wallet, [], opening, now);
  });
}

/** Seeds the card gateway, also into a data folder made before the sandbox had it. */
export function seedCardGateway(world: World, seed: number): void {
  if (!seedHookKeys(world)) return;
  world.store.tx(() => seedCards(world, randomOf(seed + 1)));
}

function seedPeople(world: World): void {
  const { store } = world;
  store.run(
    'INSERT INTO merchants (id, merchant_key, name, site) VALUES (?, ?, ?, ?)',
    MERCHANT_ID,
    world.credentials.card.merchant_key,
    MERCHANT.name,
    MERCHANT.site,
  );
  store.run(
    'INSERT INTO merchants (id, merchant_key, name, site) VALUES (?, ?, ?, ?)',
    OTHER_MERCHANT_ID,
    '$2y$10$baska.isletmenin.anahtari.demo.0000000000000000000000',
    'Başka İşletme Ltd. Şti.',
    'https://baska-isletme.test',
  );
  for (const person of PEOPLE)
    store.run(
      `INSERT INTO people (id, email, password_hash, first_name, last_name, phone, merchant_id)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      person.id,
      person.email,
      passwordHash(DEMO_PASSWORD, person.email),
      person.first,
      person.last,
      person.phone,
      person.merchant,
    );
}
