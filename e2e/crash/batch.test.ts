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
 * the workers that send them. The provider's ledger is the judge.
 */

const SEND = 'SendMoneyToBankAccount';
/** `BATCH_ROWS=500 npm run crash` runs a longer file. */
const ROWS = Number(process.env['BATCH_ROWS'] ?? 40);
/** The response to every tenth request is lost. */
const LOST_EVERY = 10;
const BETWEEN_KILLS_MS = 1_500;
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

test('each row of a batch is executed once, with its amount, whoever is killed meanwhile', async () => {
  const lines = linesOf(ROWS);
  for (let after = 0; after < ROWS; after += LOST_EVERY)
    await sandbox.fault({ operation: SEND, kind: 'lost_after', after, times: 1 });
  const id = await submitted(lines);
  let kills = 0;
  const over = new AbortController();
  const killing = (async () => {
    while (!over.signal.aborted) {
      await pause(BETWEEN_KILLS_MS);
      await kill(VICTIMS[kills % VICTIMS.length]!);
      kills += 1;
    }
  })();
  await until(
    'every row has left and is known',
    async () => {
      await expireLeases().catch(() => undefined);
      await checkNow().catch(() => undefined);
      const found = await counts(id).catch(() => null);
      return found !== null && found.waiting === 0 && found.open === 0;
    },
    8 * 60_000,
  ).finally(() => over.abort());
  await killing;
  expect(kills).toBeGreaterThan(3);
  expect(await counts(id)).toEqual({ waiting: 0, refused: 0, open: 0, hold: null });

  const ledger = await sandbox.ledger('payout');
  const paid = lines.map((line) =>
    ledger
      .filter(({ iban }) => iban === line.iban)
      .map(({ amount }) => amount)
      .toSorted(),
  );
  const wanted = lines.map(({ iban }) =>
    lines
      .filter((line) => line.iban === iban)
      .map(({ amountMinor }) => (amountMinor / 100).toFixed(2))
      .toSorted(),
  );
  expect(paid).toEqual(wanted);
  const answers = (await sandbox.requests(SEND)).filter(({ body }) =>
    lines.some(({ iban }) => body.includes(iban)),
  );
  expect(answers.filter(({ answer }) => answer.code === '326')).toEqual([]);
});
