/**
 * Measures how a payouts file of 10,000 rows is read and checked: from the upload to the page that
 * has every row's verdict, with three earlier payouts to each payee in the database.
 */
import { measureBatchRun } from './batch-run.ts';
import { absolute, median, type Figure } from './figures.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const ROWS = 10_000;
const EARLIER = 3;
const ROUNDS = 3;
const MAX_SECONDS = 3;
const FIRST_SECONDS = 1;
const WALLET = '4410270001';

export async function measureBatches(stand: Stand): Promise<Figure[]> {
  const ibans = Array.from({ length: ROWS }, (_, n) => ibanOf(n + 1));
  await seedEarlier(stand, ibans);
  const headers = { cookie: cookieHeader(await signIn(stand)) };
  const stored: number[] = [];
  const first: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    stand.signal.throwIfAborted();
    const begun = performance.now();
    const id = await upload(stand, headers, fileOf(ibans, round));
    const uploaded = performance.now();
    const page = await fetch(`${stand.origin}/batches/${id}`, { headers });
    const begins = await firstBytes(page);
    if (page.status !== 200) throw new Error(`The draft's page was answered ${page.status}.`);
    if (round === 0) continue;
    stored.push((uploaded - begun) / 1_000);
    first.push((begins - uploaded) / 1_000);
    whole.push((performance.now() - uploaded) / 1_000);
  }
  return [
    absolute('a payouts file of 10,000 rows: read and stored', median(stored), 's', {
      atMost: MAX_SECONDS,
    }),
    absolute('… its page: columns and first rows shown', median(first), 's', {
      atMost: FIRST_SECONDS,
    }),
    absolute('… its page: every row checked', median(whole), 's', { atMost: MAX_SECONDS }),
    ...(await measureBatchRun(stand, { ibanOf, taxNumberOf })),
  ];
}

/** When the first part of the page has come; the rest is read to its end. */
async function firstBytes(page: Response): Promise<number> {
  let first: number | null = null;
  for await (const _chunk of page.body ?? []) first ??= performance.now();
  return first ?? performance.now();
}

async function upload(stand: Stand, headers: { cookie: string }, body: string): Promise<string> {
  const answer = await fetch(`${stand.origin}/api/batches?wallet=${WALLET}`, {
    method: 'POST',
    headers: {
      ...headers,
      ...{ origin: stand.origin, 'sec-fetch-site': 'same-origin', 'x-file-name': 'bench.csv' },
      'content-type': 'application/octet-stream',
    },
    body,
  });
  const stored = (await answer.json()) as { id?: string; text?: string };
  if (stored.id === undefined)
    throw new Error(`The file was answered ${answer.status}: ${stored.text ?? ''}`);
  return stored.id;
}

function fileOf(ibans: readonly string[], round: number): string {
  const lines = ibans.map(
    (iban, n) => `Firma ${n};${iban};${taxNumberOf(n)};${1_000 + n},50;06;Fatura ${round}-${n}`,
  );
  return ['Alıcı Adı;IBAN;VKN;Tutar;Ödeme Türü;Açıklama', ...lines].join('\r\n');
}

/** Completed payouts of the months before, without the states that they had. */
async function seedEarlier(stand: Stand, ibans: readonly string[]): Promise<void> {
  await stand.owner.query('ALTER TABLE movements DISABLE TRIGGER USER');
  for (let month = 1; month <= EARLIER; month++)
    await stand.owner.query(
      `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
        amount_minor, currency, payment_type, description, content_hash, maker_id, created_at,
        ended_at)
       SELECT gen_random_uuid(), $1, 'payout', 'BATCH' || $4 || '-' || n, 'COMPLETED', $5, iban,
         'Firma ' || (n - 1), '10000000146', 1000 + n, 'TRY', '06', 'bench', 'x', $2,
         now() - make_interval(days => 30 * $4::int), now() - make_interval(days => 30 * $4::int)
       FROM unnest($3::text[]) WITH ORDINALITY AS one(iban, n)`,
      [stand.merchantId, stand.makerId, ibans, String(month), WALLET],
    );
  await stand.owner.query('ALTER TABLE movements ENABLE TRIGGER USER');
  await stand.owner.query('VACUUM ANALYZE movements');
}

function ibanOf(account: number): string {
  const bban = `000620${String(account).padStart(16, '0')}`;
  return `TR${String(98n - (BigInt(`${bban}292700`) % 97n)).padStart(2, '0')}${bban}`;
}

/** A tax number of its own for each row, with its check digit. */
function taxNumberOf(row: number): string {
  const nine = String(100_000_000 + row);
  let sum = 0;
  for (let place = 1; place <= 9; place++) {
    const shifted = (Number(nine[place - 1]) + 10 - place) % 10;
    sum += shifted === 9 ? 9 : (shifted * 2 ** (10 - place)) % 9;
  }
  return `${nine}${(10 - (sum % 10)) % 10}`;
}
