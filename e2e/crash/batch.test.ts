import { createHash, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows } from '../database.ts';
import { newIban, newTaxNumber } from '../payee.ts';
import { COMMERCIAL, MAIN_WALLET } from '../payout.ts';
import { sandbox } from '../sandbox.ts';
import { checkNow } from './books.ts';
import { databaseAnswers, kill, until, up } from './trouble.ts';

/**
 * A submitted batch while its processes are killed: the webs that make movements of its rows, and
 * the workers that send them. In the middle the balance goes elsewhere and comes back, and all
 * sending is stopped and let go on. The provider's ledger is the judge.
 */

const SEND = 'SendMoneyToBankAccount';
/** `BATCH_ROWS=500 npm run crash` runs a longer file. */
const ROWS = Number(process.env['BATCH_ROWS'] ?? 40);
/** The response to every tenth request is lost. */
const LOST_EVERY = 10;
/** The most rows of a batch that are ready or being sent. */
const READY_MAX = 17;
const BETWEEN_KILLS_MS = 1_500;
/** A kill waits this long for a step of the batch: on a busy machine a web starts for seconds. */
const STANDSTILL_MS = 20_000;
const OTHER_WALLET = '4410270002';
const LOOK_MS = 200;
/** While nothing may leave, the ledger is read for this long. */
const QUIET_MS = 5_000;
const STEP_MS = 180_000;
/** A request that began before a stop has arrived by then. */
const ON_ITS_WAY_MS = 16_000;
const REFUSED_FOR_BALANCE = '311';
const VICTIMS = ['worker', 'web', 'worker-2', 'web-2'] as const;

type Line = { n: number; iban: string; amountMinor: number };

beforeAll(async () => {
  await sandbox.calm();
  for (const name of VICTIMS) await up(name);
});
afterAll(async () => {
  await sandbox.calm();
  await databaseAnswers();
  for (const name of VICTIMS) await up(name);
});

/** Rows to new accounts, the last one to the account of the first. */
function linesOf(count: number): Line[] {
  const lines = Array.from({ length: count }, (_, at) => ({
    n: at + 2,
    iban: newIban(),
    // The sandbox treats no last two digits from 10 to 39 as magic.
    amountMinor: (10 + at) * 100 + randomInt(10, 40),
  }));
  lines.at(-1)!.iban = lines[0]!.iban;
  return lines;
}

/** Stores a batch as its press does. */
async function submitted(lines: readonly Line[]): Promise<string> {
  const id = randomUUID();
  const hash = createHash('sha256').update(id).digest('hex');
  await rows(
    `INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
       file_hash, source)
     SELECT $1, p.merchant_id, p.id, $2, 'TRY', 'maaslar.xlsx', 'workbook', 's', $3, '\\x00'
     FROM people p WHERE p.email = 'ayse@demo.test'`,
    [id, MAIN_WALLET.number, hash],
  );
  await rows(
    `INSERT INTO batch_rows (merchant_id, batch_id, n, original, iban, name, tax_number,
       amount_minor, currency, payment_type, description, overrides, override_reason, movement_id,
       ext_id)
     SELECT b.merchant_id, b.id, r.n, '[]', r.iban, 'Alıcı ' || r.iban, r.tax, r."amountMinor",
       'TRY', $3, 'Maaş ' || r.n, $4, 'aylık maaş', gen_random_uuid(),
       upper(left(md5(random()::text), 20))
     FROM batches b, jsonb_to_recordset($2::jsonb) AS r(n int, iban text, tax text,
       "amountMinor" bigint) WHERE b.id = $1`,
    [
      id,
      JSON.stringify(lines.map((line) => ({ ...line, tax: newTaxNumber() }))),
      COMMERCIAL,
      JSON.stringify(['first_payment', 'near_duplicate', 'payee_other_iban', 'iban_other_name']),
    ],
  );
  await rows(
    `UPDATE batches SET state = 'SUBMITTED', version = 2, content_hash = $2 WHERE id = $1`,
    [id, hash],
  );
  await rows(
    `INSERT INTO batch_runs (merchant_id, batch_id, submitted_by)
     SELECT merchant_id, id, '{"sessionId": "crash", "ip": null}' FROM batches WHERE id = $1`,
    [id],
  );
  return id;
}

/** Expires the leases of dead workers, as `hurry` does; the minute of an IBAN stays as it is. */
async function expireLeases(): Promise<void> {
  await rows(
    `UPDATE movements SET lease_until = clock_timestamp() - interval '1 ms'
      WHERE lease_until > clock_timestamp()
        AND lease_until - interval '45 s' < clock_timestamp() - interval '16 s'`,
  );
}

type Counts = { waiting: number; refused: number; open: number; hold: string | null };

async function counts(id: string): Promise<Counts> {
  const [row] = await rows<Counts>(
    `SELECT (count(*) FILTER (WHERE w.made_at IS NULL AND w.refused_at IS NULL))::int AS waiting,
       (count(*) FILTER (WHERE w.refused_at IS NOT NULL))::int AS refused,
       (count(*) FILTER (WHERE m.state IN ('APPROVED', 'SUBMITTING', 'UNKNOWN')))::int AS open,
       (SELECT r.hold FROM batch_runs r WHERE r.batch_id = $1) AS hold
     FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id WHERE w.batch_id = $1`,
    [id],
  );
  return row!;
}

/** What of the batch is known: another text when a row was made, refused, or has an answer. */
async function stepOf(id: string): Promise<string> {
  return JSON.stringify(await counts(id).catch(() => null));
}

async function untilStep(id: string, before: string, over: AbortSignal): Promise<void> {
  const end = Date.now() + STANDSTILL_MS;
  while (!over.aborted && Date.now() < end && (await stepOf(id)) === before) await pause(LOOK_MS);
}

/** Another program takes the money; the batch pauses by itself, and somebody lets it go on. */
async function emptiedAndFilled(id: string): Promise<void> {
  const { amount } = await sandbox.move(MAIN_WALLET.number, OTHER_WALLET);
  await until('the batch pauses', async () => (await holdOf(id)) !== null, STEP_MS);
  expect(['balance_short', 'fail_alike']).toContain(await holdOf(id));
  await nothingLeaves();
  await sandbox.move(OTHER_WALLET, MAIN_WALLET.number, amount);
  await letGoOn(id);
}

async function letGoOn(id: string): Promise<void> {
  await databaseAnswers();
  await rows(
    `UPDATE batch_runs SET hold = NULL, hold_detail = NULL, held_at = NULL, held_by = NULL,
       resumed_at = clock_timestamp(), feed_at = clock_timestamp() WHERE batch_id = $1`,
    [id],
  );
}

/** Somebody stops all sending; it goes on as after the word of two people. */
async function stoppedAndLetGoOn(): Promise<void> {
  await databaseAnswers();
  await rows(
    `INSERT INTO send_switches (merchant_id, kind, cause, off, reason, off_by)
       SELECT merchant_id, 'all', 'person', true, 'yanlış dosya', id FROM people
       WHERE email = 'ayse@demo.test'
     ON CONFLICT (merchant_id, kind, cause) DO UPDATE SET off = true`,
  );
  await nothingLeaves();
  await databaseAnswers();
  await rows('ALTER TABLE send_switches DISABLE TRIGGER USER');
  await rows(`UPDATE send_switches SET off = false WHERE kind = 'all' AND cause = 'person'`);
  await rows('ALTER TABLE send_switches ENABLE TRIGGER USER');
}

/** Once what was on its way has arrived, the ledger stays as it is. */
async function nothingLeaves(): Promise<void> {
  await pause(ON_ITS_WAY_MS);
  const executed = async () => (await sandbox.ledger('payout')).map(({ id }) => id).toSorted();
  const before = await executed();
  await pause(QUIET_MS);
  expect(await executed()).toEqual(before);
}

async function holdOf(id: string): Promise<string | null> {
  const found = await counts(id).catch(() => null);
  return found?.hold ?? null;
}

/** Rows that the provider refused while the wallet was empty: known, and not executed. */
async function refusedRows(id: string): Promise<number[]> {
  const found = await rows<{ n: number }>(
    `SELECT w.n FROM batch_rows w JOIN movements m ON m.id = w.movement_id
     WHERE w.batch_id = $1 AND m.state = 'REJECTED' AND m.reason_code = $2`,
    [id, REFUSED_FOR_BALANCE],
  );
  return found.map(({ n }) => n);
}

test('each row of a batch is executed once or known not to be, whoever is killed meanwhile', async () => {
  const lines = linesOf(ROWS);
  for (let after = 0; after < ROWS; after += LOST_EVERY)
    await sandbox.fault({ operation: SEND, kind: 'lost_after', after, times: 1 });
  const id = await submitted(lines);
  let kills = 0;
  const over = new AbortController();
  const killing = (async () => {
    for (let before = ''; !over.signal.aborted; before = await stepOf(id)) {
      await pause(BETWEEN_KILLS_MS);
      await untilStep(id, before, over.signal);
      await kill(VICTIMS[kills % VICTIMS.length]!);
      kills += 1;
    }
  })();
  const troubles = [emptiedAndFilled, stoppedAndLetGoOn];
  await until(
    'every row has left and is known',
    async () => {
      const now = await counts(id).catch(() => null);
      // What was refused for the balance before may pause it once more.
      if (now !== null && now.hold !== null) await letGoOn(id);
      const left = now?.waiting ?? ROWS;
      const next = troubles[0];
      // After a third of the rows the first one, after two thirds the second.
      if (next !== undefined && left <= (ROWS * troubles.length) / 3) {
        troubles.shift();
        await next(id);
      }
      await expireLeases().catch(() => undefined);
      await checkNow().catch(() => undefined);
      const found = await counts(id).catch(() => null);
      return found !== null && found.waiting === 0 && found.open === 0;
    },
    9 * 60_000,
  ).finally(() => over.abort());
  await killing;
  expect(kills).toBeGreaterThan(3);
  expect(troubles).toEqual([]);
  expect(await counts(id)).toEqual({ waiting: 0, refused: 0, open: 0, hold: null });

  const ledger = await sandbox.ledger('payout');
  const paid = lines.map((line) =>
    ledger
      .filter(({ iban }) => iban === line.iban)
      .map(({ amount }) => amount)
      .toSorted(),
  );
  const refused = await refusedRows(id);
  expect(refused.length).toBeLessThan(READY_MAX);
  const wanted = lines.map(({ iban }) =>
    lines
      .filter((line) => line.iban === iban && !refused.includes(line.n))
      .map(({ amountMinor }) => (amountMinor / 100).toFixed(2))
      .toSorted(),
  );
  expect(paid).toEqual(wanted);
  const answers = (await sandbox.requests(SEND)).filter(({ body }) =>
    lines.some(({ iban }) => body.includes(iban)),
  );
  expect(answers.filter(({ answer }) => answer.code === '326')).toEqual([]);
});
