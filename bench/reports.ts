/**
 * Measures the report of transactions over 100,000 lines of a sandbox of its own: reading them into
 * the mirror, against a bare client that reads the same pages, then the report's pages and its
 * export.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { addDays, dayRange, dayIn } from '../lib/values/dates.ts';
import { Sandbox } from '../sandbox/testing/sandbox.ts';
import { visit, withBrowser } from './browser.ts';
import { ask, take, watch } from './exports.ts';
import { absolute, against, median, rounded, type Figure } from './figures.ts';
import type { Floor } from './floor.ts';
import { fill } from './sandbox-fill.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const ROWS = 100_000;
const ROUNDS = 3;
const PAGE_SIZE = 200;
/** The lines lie in the last sixty hours. */
const DAYS = 4;
const DEEP = 1_000;
const TEMPLATE = 'template';
const SIDE = fileURLToPath(new URL('reports-side.ts', import.meta.url));
const PATIENCE_MS = 30_000;

export async function measureReports(stand: Stand, floor: Floor): Promise<Figure[]> {
  const merchantId = randomUUID();
  await stand.owner.query(
    `INSERT INTO merchants (id, key_fingerprint, name) VALUES ($1, $2, 'Reports')`,
    [merchantId, merchantId],
  );
  const read = await measureReading(stand, merchantId);
  await giveLines(stand, merchantId);
  return [
    ...read.figures,
    ...(await measurePages(stand, floor)),
    ...(await measureExport(stand, read.bare)),
  ];
}

async function measureReading(
  stand: Stand,
  merchantId: string,
): Promise<{ figures: Figure[]; bare: number }> {
  const box = await new Sandbox().start();
  try {
    await box.post('bank/mode', { mode: 'auto', delayMs: 0 });
    await box.post('questions', { ledger_lag_min_ms: 0, ledger_lag_max_ms: 0 });
    await box.pay(TEMPLATE);
    await box.until(async () => (await box.ledgerOf(TEMPLATE))[0]?.['bank_state'] === 'completed');
    await box.end('SIGTERM');
    fill(box.folder, TEMPLATE, ROWS);
    await box.boot();
    const [bare, ours, grown]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round <= ROUNDS; round++) {
      stand.signal.throwIfAborted();
      const theirs = await turnPages(box);
      const { ms, grownMb } = await readOnce(stand, merchantId, box);
      const {
        rows: [there],
      } = await stand.owner.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM ledger_records WHERE merchant_id = $1',
        [merchantId],
      );
      if (there!.n < theirs.rows) throw new Error(`${there!.n} of ${theirs.rows} lines were read`);
      if (round === 0) continue;
      bare.push((theirs.rows * 1_000) / theirs.ms);
      ours.push((there!.n * 1_000) / ms);
      grown.push(grownMb);
    }
    return {
      bare: median(bare),
      figures: [
        against(
          `reading ${ROWS} lines into the mirror, rows a second / a bare client turning the same pages`,
          median(ours),
          median(bare),
          '',
          { atLeast: 0.8 },
        ),
        absolute(
          'memory of the process that reads them, above its rest',
          median(grown),
          'MB',
          { atMost: 32 },
          `most ${rounded(Math.max(...grown))}`,
        ),
      ],
    };
  } finally {
    await box.stop();
  }
}

/** Reads all pages of the days that have lines, parses each page and discards it. */
async function turnPages(box: Sandbox): Promise<{ rows: number; ms: number }> {
  const begun = performance.now();
  let rows = 0;
  for (const day of days()) {
    const { from, to } = dayRange(day);
    for (let index = 0, pages = 1; index < pages; index++) {
      const { json } = await box.call('TransactionData/SummaryRecordByFilter', {
        start_date: from,
        end_date: to,
        order_column: 'CreatedDateUtc',
        order_by: 'asc',
        page_size: PAGE_SIZE,
        page_index: index,
      });
      const payload = json['payload'] as { results: unknown[]; page_count: number };
      rows += payload.results.length;
      pages = payload.page_count;
    }
  }
  return { rows, ms: performance.now() - begun };
}

async function readOnce(
  stand: Stand,
  merchantId: string,
  box: Sandbox,
): Promise<{ ms: number; grownMb: number }> {
  for (const table of ['ledger_records', 'record_days'])
    await stand.owner.query(`DELETE FROM ${table} WHERE merchant_id = $1`, [merchantId]);
  // Otherwise the rows of the round before are vacuumed while this one is measured.
  await stand.owner.query('VACUUM ledger_records');
  // The other days of the window count as read: they have no entries, and the bare client does not
  // request them.
  await stand.owner.query(
    `INSERT INTO record_days (merchant_id, list, day, next_at) SELECT $1, 'ledger', day,
      CASE WHEN day = ANY ($2::date[]) THEN now() END
      FROM generate_series($3::date - 32, $3::date, '1 day') AS day`,
    [merchantId, days(), today()],
  );
  const { wallet } = (await box.get('credentials')) as { wallet: Record<string, string> };
  return side(stand, 'sync', {
    BENCH_MERCHANT: merchantId,
    WALLET_AUTH_URL: `${box.base}/wallet/auth`,
    WALLET_API_URL: `${box.base}/wallet/api`,
    WALLET_CLIENT_ID: wallet['client_id']!,
    WALLET_CLIENT_SECRET: wallet['client_secret']!,
    WALLET_SCOPE: wallet['scope']!,
  });
}

async function side<T>(
  stand: Stand,
  what: 'sync' | 'queries',
  more: Record<string, string>,
): Promise<T> {
  const out = join(stand.dataDir, `${what}.json`);
  const secret = 'b'.repeat(32);
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    LOG_LEVEL: 'silent',
    DATABASE_URL: stand.stack.databaseUrl,
    DATA_DIR: stand.dataDir,
    SANDBOX: 'on',
    AUTH_SECRET: secret,
    DATA_KEY: secret,
    WEBHOOK_KEY: secret,
    CARD_APP_ID: 'bench',
    CARD_APP_SECRET: 'bench',
    CARD_MERCHANT_KEY: 'bench',
    WALLET_CLIENT_ID: 'bench',
    WALLET_CLIENT_SECRET: 'bench',
    BENCH_OUT: out,
    ...more,
  };
  await promisify(execFile)(process.execPath, ['--conditions=react-server', SIDE, what], {
    env,
    signal: stand.signal,
  });
  return JSON.parse(readFileSync(out, 'utf8')) as T;
}

/** Moves the lines of the measured merchant to the merchant whose users can view them. */
async function giveLines(stand: Stand, merchantId: string): Promise<void> {
  const { rows } = await stand.owner.query<{ names: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
      WHERE table_name = 'ledger_records' AND is_generated = 'NEVER' AND column_name <> 'merchant_id'`,
  );
  const { names } = rows[0]!;
  await stand.owner.query(
    `INSERT INTO ledger_records (merchant_id, ${names}) SELECT $1, ${names} FROM ledger_records
      WHERE merchant_id = $2 ON CONFLICT DO NOTHING`,
    [stand.merchantId, merchantId],
  );
  await stand.owner.query('DELETE FROM ledger_records WHERE merchant_id = $1', [merchantId]);
  await stand.owner.query('VACUUM ANALYZE ledger_records');
}

async function measurePages(stand: Stand, floor: Floor): Promise<Figure[]> {
  const asked = await side<
    Record<'firstMs' | 'deepMs' | 'numberMs' | 'amountMs' | 'sumsMs', number>
  >(stand, 'queries', {
    BENCH_MERCHANT: stand.merchantId,
    BENCH_FROM: days()[0]!,
    BENCH_TO: today(),
  });
  const shown = await withBrowser(stand, async (browser) => {
    const took: Record<'first' | 'deep' | 'floor', number[]> = { first: [], deep: [], floor: [] };
    const range = `from=${days()[0]}&to=${today()}`;
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, origin, path] of [
        ['first', stand.origin, `/reports/transactions?${range}`],
        ['deep', stand.origin, `/reports/transactions?${range}&page=${DEEP}`],
        ['floor', floor.origin, '/list'],
      ] as const) {
        const visitor = await visit(browser, origin, name === 'floor' ? undefined : stand);
        const begun = performance.now();
        await visitor.page.goto(`${origin}${path}`, { waitUntil: 'commit' });
        await visitor.page
          .locator('table tbody tr')
          .filter({ visible: true })
          .first()
          .waitFor({ timeout: PATIENCE_MS });
        if (round > 0) took[name].push(performance.now() - begun);
        await visitor.close();
      }
    }
    return took;
  });
  return [
    against(
      `transaction report of ${ROWS} lines: first row on screen / the floor's list of 10,000 in memory`,
      median(shown.first),
      median(shown.floor),
      'ms',
      { atMost: 1.5 },
    ),
    against(
      `page ${DEEP} by its number: first row on screen / page 1`,
      median(shown.deep),
      median(shown.first),
      'ms',
      { atMost: 1.1 },
    ),
    against(
      `query of page ${DEEP} / of page 1`,
      asked.deepMs,
      asked.firstMs,
      'ms',
      { atMost: 2 },
      `by its number alone, looked up first: ${rounded(asked.numberMs)} ms; page 1 by amount ` +
        `${rounded(asked.amountMs)} ms; the filter's sums ${rounded(asked.sumsMs)} ms`,
    ),
  ];
}

async function measureExport(stand: Stand, bare: number): Promise<Figure[]> {
  const cookie = cookieHeader(await signIn(stand));
  const rates: Record<string, number[]> = {};
  const grown: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const profile of ['csv', 'xlsx'] as const) {
      stand.signal.throwIfAborted();
      const most = watch(stand.stack.workers);
      const filter = `?from=${days()[0]}&to=${today()}`;
      const order = { source: 'transactions', filter } as const;
      const begun = performance.now();
      const { perSecond } = await take(
        `${stand.origin}/reports/exports/${await ask(stand, profile, order)}/file`,
        { cookie },
        begun,
      );
      if (round === 0) continue;
      (rates[profile] ??= []).push(perSecond);
      grown.push(most());
    }
  }
  return [
    against(
      `export of the report, ${ROWS} × 20, rows a second: CSV for programs / a bare client ` +
        "turning the provider's pages",
      median(rates['csv']!),
      bare,
      '',
      { atLeast: 0.8 },
    ),
    against('the same: workbook', median(rates['xlsx']!), bare, '', { atLeast: 0.8 }),
    absolute(
      'memory of the worker that makes it, above its rest',
      median(grown),
      'MB',
      { atMost: 32 },
      `most ${rounded(Math.max(...grown))}`,
    ),
  ];
}

function today(): string {
  return dayIn(new Date().toISOString());
}

function days(): string[] {
  return Array.from({ length: DAYS }, (_, back) => addDays(today(), back + 1 - DAYS));
}
