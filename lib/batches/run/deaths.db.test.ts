import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { found, refused } from '#lib/movements/testing/movement.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import type { ReadOutcome, SendOutcome } from '#lib/providers/outcome.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { deaths } from '#lib/testing/deaths.ts';
import type { DatabaseRole } from '#lib/runtime/db.ts';
import type { Deaths } from '#lib/testing/deaths.ts';
import type { SubmittedRow } from './submit.ts';

/**
 * The rows of a batch while the process that feeds and the workers that send die after each of
 * their statements in turn, with lost answers, an emptied balance, a stop of all sending and pauses
 * in between. The provider's ledger is the judge. BATCH_ROWS=500 takes a longer file.
 */

const ROWS = Number(process.env['BATCH_ROWS'] ?? 16);
const LOST_EVERY = 10;
/** A chunk of rows is fed in some hundred statements; after the first one, only some are tried. */
const STRIDE = 17;
const QUIET_MS = 1;
const AMOUNT = 10_000n;
/** More than the fees of all payments: a batch pauses while they do not fit. */
const FEES = 1_000n * BigInt(ROWS);

/** The provider's books. `available` may be emptied from outside. */
const bank = {
  available: 0n,
  executed: [] as { extId: string; iban: string; amountMinor: bigint }[],
  /** Accounts that were paid in the minute that is. */
  thisMinute: new Set<string>(),
  tooSoon: 0,
  requests: 0,
};

let merchant: TestMerchant;
let web: Process;
let workers: Process[];
let dying: Deaths;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) => ({
      ...{ number, currency: 'TRY', access: 'active', availableMinor: bank.available },
      limits: { withdrawalMinor: null },
    }),
    paymentTypes: async () => [{ code: '1', name: 'Other', descriptionMin: 3 }],
  }));
  web = await openProcess('dashboard_web');
  workers = [await openProcess('dashboard_worker'), await openProcess('dashboard_worker')];
  dying = deaths(merchant.owner);
});
afterAll(async () => {
  dying.restore();
  await Promise.all([web, ...workers].map((side) => side.db.disconnect()));
  await merchant.close();
});

const none = { raw: '{}', code: null, message: null };

function send({ extId, iban, amountMinor }: MovementRow): SendOutcome | null {
  bank.requests += 1;
  if (bank.thisMinute.has(iban)) {
    bank.tooSoon += 1;
    return { ...none, kind: 'same_iban_wait', code: '326' };
  }
  if (bank.executed.some((one) => one.extId === extId))
    return { ...none, kind: 'duplicate', code: '1' };
  if (bank.available < amountMinor) return refused('313');
  bank.available -= amountMinor;
  bank.executed.push({ extId, iban, amountMinor });
  bank.thisMinute.add(iban);
  return bank.requests % LOST_EVERY === 0 ? { ...none, kind: 'unclear', why: 'timeout' } : null;
}

function read({ extId, iban, amountMinor, requestId }: MovementRow): ReadOutcome {
  return bank.executed.some((one) => one.extId === extId)
    ? { ...found('completed'), extId, iban, amountMinor, requestId: requestId ?? '7' }
    : { kind: 'not_found', raw: '{}' };
}

const provider = fakeProvider({ send: (movement) => send(movement) as SendOutcome, read });

/** Every tenth row is to the account of an earlier one. */
function rowsOf(count: number): SubmittedRow[] {
  const ibans = Array.from({ length: count }, () => freshIban());
  return ibans.map((iban, at) => ({
    number: at + 2,
    original: [],
    iban: at % 10 === 9 ? ibans[at - 5]! : iban,
    name: `Alıcı ${String.fromCharCode(65 + (at % 23))}${at} Ltd.`,
    taxNumber: '10000000146',
    amountMinor: AMOUNT + BigInt(at * 1_700),
    paymentType: '1',
    description: `Ödeme ${at}`,
    overrides: ['payee_other_iban', 'duplicate_other_iban', 'near_duplicate', 'duplicate'],
    overrideReason: 'ayrı fatura',
    retryOf: null,
  }));
}

async function submitted(rows: readonly SubmittedRow[]): Promise<string> {
  const id = randomUUID();
  const clerk = merchant.person('clerk');
  await merchant.owner.query(
    `INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
      file_hash, source)
     VALUES ($1, $2, $3, '1000000001', 'TRY', 'maaslar.xlsx', 'workbook', 's', $4, '\\x00')`,
    [id, merchant.merchantId, clerk.personId, createHash('sha256').update(id).digest('hex')],
  );
  await web.batches.submitRows(clerk, { id, version: 1 }, rows);
  return id;
}

type Stored = {
  n: number;
  ext_id: string;
  iban: string;
  amount: string;
  made: boolean;
  refused: string | null;
  state: string | null;
  movements: number;
};

async function stored(id: string): Promise<Stored[]> {
  const { rows } = await merchant.owner.query<Stored>(
    `SELECT w.n, w.ext_id, w.iban, w.amount_minor::text AS amount, w.made_at IS NOT NULL AS made,
       w.refused, m.state, (SELECT count(*)::int FROM movements x WHERE x.ext_id = w.ext_id) AS movements
     FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
     WHERE w.batch_id = $1 ORDER BY w.n`,
    [id],
  );
  return rows;
}

/** Each row is one of: not made, refused, one movement; and nothing was carried out twice. */
async function judged(id: string): Promise<Stored[]> {
  const all = await stored(id);
  for (const row of all) {
    expect(row.movements, `movements of row ${row.n}`).toBe(row.made ? 1 : 0);
    expect(row.made && row.refused !== null, `row ${row.n} is both`).toBe(false);
    const executed = bank.executed.filter(({ extId }) => extId === row.ext_id);
    expect(executed.length, `executions of row ${row.n}`).toBeLessThanOrEqual(row.made ? 1 : 0);
    const isUnpaid = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED', 'APPROVED'];
    if (executed.length > 0) expect(isUnpaid, `row ${row.n}`).not.toContain(row.state);
    else expect(row.state, `row ${row.n}`).not.toBe('COMPLETED');
  }
  expect(bank.tooSoon).toBe(0);
  return all;
}

/** Whether a row whose outcome is unknown has one request left. */
async function mayBeSentOnce(id: string): Promise<boolean> {
  const { rows } = await merchant.owner.query(
    `SELECT FROM batch_rows w JOIN movements m ON m.id = w.movement_id
     WHERE w.batch_id = $1 AND m.sends >= 2 AND m.state IN ('UNKNOWN', 'SUBMITTING') LIMIT 1`,
    [id],
  );
  return rows.length > 0;
}

async function sentAgain(id: string): Promise<number> {
  const { rows } = await merchant.owner.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM batch_rows w JOIN movements m ON m.id = w.movement_id
     WHERE w.batch_id = $1 AND m.sends > 1`,
    [id],
  );
  return rows[0]!.count;
}

/** A minute later: leases of the dead have ended, looks are due, accounts may be paid again. */
async function aMinuteLater(id: string): Promise<void> {
  bank.thisMinute.clear();
  await merchant.owner.query(
    `UPDATE movements SET next_at = clock_timestamp() - interval '1 ms',
       lease_until = least(lease_until, clock_timestamp() - interval '1 ms')
     WHERE merchant_id = $1 AND next_at IS NOT NULL AND state NOT IN ('COMPLETED', 'REJECTED')`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `UPDATE movements SET next_at = NULL WHERE merchant_id = $1 AND state IN ('COMPLETED', 'REJECTED')`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `UPDATE iban_gates SET last_send_at = clock_timestamp() - interval '66 s' WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    'UPDATE batch_runs SET feed_at = clock_timestamp() WHERE batch_id = $1',
    [id],
  );
}

/**
 * Each side dies after the first statement of a step, then after its second, and so on, by the kind
 * of the step; between two deaths a worker lives through one step, so that rows come to an end.
 */
class Dying {
  deaths = 0;
  /** Kinds of steps that have died after each of their statements. */
  readonly #whole = new Set<string>();
  readonly #after = new Map<string, number>();
  #lives = false;

  async feed(): Promise<void> {
    await this.#die('feed', 'dashboard_web', () => web.batches.feedOneBatch(merchant.merchantId));
  }

  async work(who: 0 | 1, mayDie: boolean): Promise<void> {
    const ports = fakePorts(merchant.merchantId, provider, { quietMs: QUIET_MS });
    const step = async (): Promise<unknown> => workers[who]!.advance.advanceOne(ports);
    const kind = await nextKind();
    // A first send dies at every place; what comes after it lives through every second step.
    this.#lives = kind !== 'APPROVED' && !this.#lives;
    if (this.#lives || !mayDie || kind === null) await step();
    else await this.#die(kind, 'dashboard_worker', step);
  }

  async #die(kind: string, role: DatabaseRole, step: () => Promise<unknown>): Promise<void> {
    const after = this.#after.get(kind) ?? 1;
    const outcome = await dying.within(role, after, step);
    this.#after.set(kind, outcome === 'died' ? after + (this.#whole.has(kind) ? STRIDE : 1) : 1);
    if (outcome === 'done' && kind === 'feed') this.#whole.add(kind);
    if (outcome === 'died') this.deaths += 1;
  }
}

/** What the next step of a worker is about: the state of the movement that is due. */
async function nextKind(): Promise<string | null> {
  const { rows } = await merchant.owner.query<{ state: string }>(
    `SELECT state FROM movements WHERE merchant_id = $1 AND next_at <= clock_timestamp()
       AND (lease_until IS NULL OR lease_until < clock_timestamp()) ORDER BY next_at LIMIT 1`,
    [merchant.merchantId],
  );
  return rows[0]?.state ?? null;
}

it(
  'each row is one known thing after every statement of everybody who dies, and is paid once',
  async () => {
    const rows = rowsOf(ROWS);
    const total = rows.reduce((sum, row) => sum + row.amountMinor, 0n);
    bank.available = total + FEES;
    const id = await submitted(rows);
    const sides = new Dying();
    const [approver, clerk] = [merchant.person('approver'), merchant.person('clerk')];
    const hold = async (): Promise<string | null> => {
      const { rows: runs } = await merchant.owner.query<{ hold: string | null }>(
        'SELECT hold FROM batch_runs WHERE batch_id = $1',
        [id],
      );
      return runs[0]!.hold;
    };
    const round = async (): Promise<Stored[]> => {
      await sides.feed();
      // Two deaths may cost a row its two resends, so the third request lives.
      const isLast = await mayBeSentOnce(id);
      await sides.work(0, !isLast);
      await sides.work(1, !isLast);
      return judged(id);
    };
    const paid = (all: readonly Stored[]): number =>
      all.filter(({ ext_id: extId }) => bank.executed.some((one) => one.extId === extId)).length;
    const troubles = new Map<number, () => Promise<void>>([
      [Math.floor(ROWS / 5), emptied],
      [Math.floor((2 * ROWS) / 5), stopped],
      [Math.floor((3 * ROWS) / 5), paused],
    ]);

    /** The balance goes elsewhere: the batch pauses by itself, and goes on when it is back. */
    async function emptied(): Promise<void> {
      const gone = bank.available;
      bank.available = 0n;
      for (let n = 0; n < 400 && (await hold()) === null; n++) {
        await merchant.owner.query(
          'UPDATE batch_runs SET feed_at = clock_timestamp() WHERE batch_id = $1',
          [id],
        );
        await sides.feed();
      }
      expect(await hold()).toBe('balance_short');
      bank.available = gone;
      await nothingLeaves();
      await web.batches.resumeBatch(clerk, id);
    }

    /** Somebody stops all sending; it is let go on by two people. */
    async function stopped(): Promise<void> {
      await web.stop.stopSending(approver, 'all', 'yanlış dosya');
      await nothingLeaves();
      const which = { kind: 'all', cause: 'person' } as const;
      await web.release.requestResume(approver, which, 'dosya doğru');
      await web.release.confirmResume(merchant.person('owner'), which);
    }

    async function paused(): Promise<void> {
      await web.batches.pauseBatch(approver, id);
      await nothingLeaves();
      await web.batches.resumeBatch(clerk, id);
    }

    /** No first send leaves, however often everybody looks. What is unclear may be sent again. */
    async function nothingLeaves(): Promise<void> {
      const unclear = new Set(
        (await stored(id)).flatMap(({ state, ext_id: extId }) =>
          state === 'UNKNOWN' || state === 'SUBMITTING' ? extId : [],
        ),
      );
      const before = bank.executed.length;
      await aMinuteLater(id);
      for (let n = 0; n < 15; n++) await round();
      const left = bank.executed.slice(before).filter(({ extId }) => !unclear.has(extId));
      expect(left).toEqual([]);
    }

    let all = await judged(id);
    for (let n = 0; n < ROWS * 300; n++) {
      if (all.every(({ state, refused: code }) => state === 'COMPLETED' || code !== null)) break;
      if (n % 3 === 0) await aMinuteLater(id);
      all = await round();
      const trouble = [...troubles].find(([from]) => paid(all) >= from);
      if (trouble === undefined) continue;
      troubles.delete(trouble[0]);
      await trouble[1]();
    }
    expect(troubles.size).toBe(0);
    expect(all.filter(({ state }) => state !== 'COMPLETED')).toEqual([]);
    expect(
      bank.executed.map(({ iban, amountMinor }) => `${iban} ${amountMinor}`).toSorted(),
    ).toEqual(rows.map(({ iban, amountMinor }) => `${iban} ${amountMinor}`).toSorted());
    expect([bank.available, bank.tooSoon]).toEqual([FEES, 0]);
    process.stdout.write(
      `batch of ${ROWS} rows: ${sides.deaths} deaths, ${bank.requests} requests, ` +
        `${bank.executed.length} executed\n`,
    );
    expect(sides.deaths).toBeGreaterThan(ROWS * 5);
    // Some died between their claim and their request, and were sent once more.
    expect(await sentAgain(id)).toBeGreaterThan(0);
  },
  ROWS * 15_000,
);
