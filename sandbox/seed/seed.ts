import { createHash } from 'node:crypto';
import { monthOf } from '../books.ts';
import { feeOf } from '../wallet-api/payout.ts';
import type { World } from '../world.ts';
import {
  CUSTOMERS,
  DEMO_PASSWORD,
  EMPLOYEES,
  EUR_WALLET,
  MAIN_WALLET,
  MERCHANT,
  MERCHANT_ID,
  OTHER_MERCHANT_ID,
  PAYROLL_WALLET,
  PEOPLE,
  PETTY_WALLET,
  SUPPLIERS,
  USD_WALLET,
  WALLETS,
  walletIban,
} from './merchant.ts';
import type { SeedWallet } from './merchant.ts';
import { seedCards } from './cards.ts';
import { seedHookKeys } from './hook-keys.ts';
import { ACCOUNTS, RECEIVERS } from './receivers.ts';
import { makeIban } from '../iban.ts';

/**
 * The seeded months: the same seed gives the same story, laid out backwards from now. Each wallet
 * opens with exactly what makes its closing balance true, so opening + in - out - fees = closing.
 */

const DAY_MS = 86_400_000;
const HISTORY_DAYS = 150;
const ID_FLOOR = 6_400_000_000_000_000_000n;

/** Mulberry32: small, seedable, the same everywhere. Returns numbers in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Event = {
  at: number;
  kind: 'payout' | 'topup' | 'virement';
  from: string | null;
  to: string | null;
  amount: bigint;
  currency: string;
  name: string;
  iban: string;
  taxNumber: string;
  purpose: string;
  description: string;
  outcome: 'completed' | 'rejected' | 'failed';
};

export function passwordHash(password: string, email: string): string {
  return createHash('sha256').update(`${email}\n${password}`).digest('hex');
}

class Story {
  readonly events: Event[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  /** Minor units between two whole amounts; three of four end in round kuruş. */
  money(low: number, high: number): bigint {
    const whole = BigInt(Math.floor(low + this.#random() * (high - low)));
    return whole * 100n + (this.chance(0.75) ? 0n : this.pick([25n, 50n, 75n, 90n, 99n]));
  }

  /** A moment of the working day that began at `day`. */
  moment(day: number): number {
    return day + Math.floor((6 + this.#random() * 9) * 3_600_000);
  }

  payout(
    at: number,
    from: string,
    currency: string,
    to: { name: string; iban: string; taxNumber: string; purpose: string },
    amount: bigint,
    description: string,
  ): void {
    const outcome = this.chance(0.03) ? 'rejected' : this.chance(0.01) ? 'failed' : 'completed';
    this.events.push({
      at,
      kind: 'payout',
      from,
      to: null,
      amount,
      currency,
      ...to,
      description,
      outcome,
    });
  }

  move(
    at: number,
    kind: 'topup' | 'virement',
    from: string | null,
    to: string,
    amount: bigint,
    currency: string,
    name: string,
    iban: string,
    description: string,
  ): void {
    this.events.push({
      at,
      kind,
      from,
      to,
      amount,
      currency,
      name,
      iban,
      taxNumber: '',
      purpose: '',
      description,
      outcome: 'completed',
    });
  }
}

function tellDay(story: Story, day: number): void {
  const date = new Date(day + 12 * 3_600_000);
  if (date.getUTCDay() === 0) return;
  const weekend = date.getUTCDay() === 6;
  for (let i = weekend ? 1 : 3; i > 0; i--) {
    if (!story.chance(0.75)) continue;
    const customer = story.pick(CUSTOMERS);
    story.move(
      story.moment(day),
      'topup',
      null,
      MAIN_WALLET,
      story.money(8_000, 96_000),
      'TRY',
      customer.name,
      customer.iban,
      `Sipariş ödemesi ${date.getUTCFullYear()}-${1000 + Math.floor(story.events.length * 1.7)}`,
    );
  }
  for (let i = weekend ? 1 : 3; i > 0; i--) {
    if (!story.chance(0.7)) continue;
    const to = story.pick(SUPPLIERS);
    story.payout(
      story.moment(day),
      MAIN_WALLET,
      'TRY',
      to,
      story.money(2_500, 84_000),
      `${to.note} ${String(story.events.length).padStart(4, '0')}`,
    );
  }
  if (story.chance(0.25)) {
    const to = story.pick(SUPPLIERS);
    story.payout(
      story.moment(day),
      PETTY_WALLET,
      'TRY',
      to,
      story.money(120, 950),
      `Şube gideri: ${to.note.toLocaleLowerCase('tr')}`,
    );
  }
  if (story.chance(0.12))
    story.move(
      story.moment(day),
      'topup',
      null,
      USD_WALLET,
      story.money(1_200, 9_500),
      'USD',
      'Liman İhracat A.Ş.',
      makeIban('00015', '00000008807722'),
      'İhracat bedeli',
    );
  if (story.chance(0.12))
    story.move(
      story.moment(day),
      'topup',
      null,
      EUR_WALLET,
      story.money(900, 7_200),
      'EUR',
      'Liman İhracat A.Ş.',
      makeIban('00015', '00000008807730'),
      'İhracat bedeli',
    );
  if (story.chance(0.08))
    story.payout(
      story.moment(day),
      USD_WALLET,
      'USD',
      story.pick(SUPPLIERS),
      story.money(400, 4_800),
      'İthalat ara ödemesi',
    );
  if (story.chance(0.06))
    story.payout(
      story.moment(day),
      EUR_WALLET,
      'EUR',
      story.pick(SUPPLIERS),
      story.money(300, 3_900),
      'İthalat ara ödemesi',
    );
  if (date.getUTCDate() === 1) tellPayday(story, day);
  if (date.getUTCDate() % 10 === 4)
    story.move(
      story.moment(day),
      'virement',
      MAIN_WALLET,
      PETTY_WALLET,
      story.money(2_000, 3_000),
      'TRY',
      MERCHANT.name,
      '',
      'Şube kasası besleme',
    );
}

function tellPayday(story: Story, day: number): void {
  story.move(
    day + 6 * 3_600_000,
    'virement',
    MAIN_WALLET,
    PAYROLL_WALLET,
    46_000_000n,
    'TRY',
    MERCHANT.name,
    '',
    'Maaş aktarımı',
  );
  EMPLOYEES.forEach((name, index) => {
    const to = {
      name,
      iban: makeIban('00046', `000000066120${index}18`),
      taxNumber: '10000000146',
      purpose: '05',
    };
    story.payout(
      day + 7 * 3_600_000 + index * 90_000,
      PAYROLL_WALLET,
      'TRY',
      to,
      story.money(41_000, 62_000),
      'Maaş ödemesi',
    );
  });
}

/** Fills an emptied store. Dates are relative to the clock's now. */
export function seedWorld(world: World, seed: number): void {
  world.store.tx(() => {
    const now = world.clock.now();
    world.store.write('seed', String(seed));
    seedPeople(world);
    seedCardGateway(world, seed);
    const story = new Story(randomOf(seed));
    const today = Math.floor(now / DAY_MS) * DAY_MS;
    for (let back = HISTORY_DAYS; back >= 0; back--) tellDay(story, today - back * DAY_MS);
    // Nothing of the story may lie in the last hour: it belongs to whoever uses the sandbox now.
    const events = story.events
      .filter((event) => event.at < now - 3_600_000)
      .sort((a, b) => a.at - b.at);
    const opening = today - (HISTORY_DAYS + 1) * DAY_MS;
    for (const wallet of WALLETS) seedWallet(world, wallet, events, opening, now);
    events.forEach((event, index) => seedEvent(world, event, index));
    seedReceivers(world);
  });
}

/** Accounts and the wallets of others; also for a state that was made before there were any. */
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

/** The card gateway's part; also for a state that was made before there was one. */
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

/**
 * The opening balance is whatever the story needs, and at least enough to stay above zero on the
 * way.
 */
function seedWallet(
  world: World,
  wallet: SeedWallet,
  events: Event[],
  opening: number,
  now: number,
): void {
  let sum = 0n;
  let lowest = 0n;
  let monthIn = 0n;
  let monthOut = 0n;
  let withdrawn = 0n;
  let toppedUp = 0n;
  for (const event of events) {
    if (event.outcome !== 'completed') continue;
    const fee = event.kind === 'payout' ? feeOf(event.amount, event.currency) : 0n;
    const thisMonth = monthOf(event.at) === monthOf(now);
    if (event.to === wallet.number) {
      sum += event.amount;
      if (thisMonth) monthIn += event.amount;
      if (thisMonth && event.kind === 'topup') toppedUp += event.amount;
    }
    if (event.from === wallet.number) {
      sum -= event.amount + fee;
      if (thisMonth) monthOut += event.amount + fee;
      if (thisMonth && event.kind === 'payout') withdrawn += event.amount;
    }
    if (sum < lowest) lowest = sum;
  }
  // A story that earns more than the closing balance gets a closing transfer to the company's own
  // bank account instead.
  const needed = wallet.closing - sum;
  const start = needed < -lowest ? -lowest : needed;
  const sweep = start + sum - wallet.closing;
  const { store } = world;
  store.run(
    `INSERT INTO wallets (number, id, account_id, name, currency, iban, access, available, blocked,
      withdrawal_limit, month, month_in,
       month_out, month_withdrawn, month_topped_up, is_default, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    wallet.number,
    wallet.id,
    wallet.account,
    wallet.name,
    wallet.currency,
    walletIban(wallet.number),
    wallet.access,
    wallet.closing,
    wallet.withdrawalLimit,
    monthOf(now),
    monthIn,
    monthOut + sweep,
    withdrawn,
    toppedUp,
    wallet.isDefault ? 1 : 0,
    opening,
    opening,
  );
  if (wallet.maxBalance !== undefined)
    store.run(
      'UPDATE wallets SET max_balance = ? WHERE number = ?',
      wallet.maxBalance,
      wallet.number,
    );
  insertMovement(world, seedId(BigInt(wallet.number), 9n), {
    kind: 'opening',
    type: 1001,
    from: null,
    to: wallet.number,
    amount: start,
    fee: 0n,
    currency: wallet.currency,
    description: 'Açılış bakiyesi',
    name: MERCHANT.name,
    iban: '',
    at: opening,
    state: 'posted',
    status: 20,
  });
  if (sweep > 0n)
    insertMovement(world, seedId(BigInt(wallet.number), 8n), {
      kind: 'virement',
      type: 3006,
      from: wallet.number,
      to: null,
      amount: sweep,
      fee: 0n,
      currency: wallet.currency,
      description: 'Ana hesaba toplu aktarım',
      name: MERCHANT.name,
      iban: '',
      at: now - 7_200_000,
      state: 'posted',
      status: 20,
    });
}

const seedId = (index: bigint, salt: bigint): string =>
  (ID_FLOOR + index * 1_000_003n + salt).toString();

type Movement = {
  kind: string;
  type: number;
  from: string | null;
  to: string | null;
  amount: bigint;
  fee: bigint;
  currency: string;
  description: string;
  name: string;
  iban: string;
  at: number;
  state: string;
  status: number;
  extId?: string;
  requestId?: string;
};

function insertMovement(world: World, id: string, m: Movement): void {
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount,
      fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at, seeded)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, 1)`,
    id,
    m.kind,
    m.type,
    m.state,
    m.status,
    m.from,
    m.to,
    m.amount,
    m.fee,
    m.currency,
    m.extId ?? null,
    m.requestId ?? null,
    m.description,
    m.name,
    m.iban,
    m.at,
    m.at + 1800,
    m.at + 2600,
  );
}

const TYPES = { payout: 2002, topup: 1004, virement: 3006 } as const;
const LEVEL = { completed: 1, rejected: 2, failed: 3 } as const;

function seedEvent(world: World, event: Event, index: number): void {
  const id = seedId(BigInt(index), 1n);
  const fee = event.kind === 'payout' ? feeOf(event.amount, event.currency) : 0n;
  const done = event.outcome === 'completed';
  const requestId = seedId(BigInt(index), 500_000n);
  const extId = `LDS-${new Date(event.at).toISOString().slice(0, 10).replaceAll('-', '')}-${String(index).padStart(5, '0')}`;
  const payout = event.kind === 'payout';
  insertMovement(world, id, {
    kind: event.kind,
    type: TYPES[event.kind],
    from: event.from,
    to: event.to,
    amount: event.amount,
    fee,
    currency: event.currency,
    description: event.description,
    name: event.name,
    iban: event.iban,
    at: event.at,
    state: done ? 'posted' : 'void',
    status: done ? 20 : 40,
    ...(payout ? { extId, requestId } : {}),
  });
  if (!payout) return;
  world.store.run(
    `INSERT INTO requests (id, movement_id, ext_id, wallet_number, iban, holder, national_id,
      amount, fee, currency, description, payment_type,
       level, bank_state, due_at, due_outcome, accepted_at, updated_at, visible_at, listed_from, seeded)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, ?, ?, 1)`,
    requestId,
    id,
    extId,
    event.from,
    event.iban,
    event.name,
    event.taxNumber,
    event.amount,
    fee,
    event.currency,
    event.description,
    event.purpose,
    LEVEL[event.outcome],
    event.outcome,
    event.at,
    event.at + 1800,
    event.at,
    event.at + 2600,
  );
}
