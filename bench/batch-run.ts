/**
 * Pays a file of 5,000 rows in a browser, from the upload to the result file, and compares this
 * file with the provider's ledger row by row. The sandbox answers at once; everything else is as it
 * is at a merchant's.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import papaparse from 'papaparse';
import { unzip } from '#lib/exports/testing/unzip.ts';
import { findChromium } from '../scripts/browser.ts';
import { memory } from './exports.ts';
import { absolute, type Figure } from './figures.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const ROWS = Number(process.env['BATCH_ROWS'] ?? 5_000);
const PATIENCE_MS = 15 * 60_000;
const SHOWN_MS = 60_000;
const POLL_MS = 1_000;
const MEGABYTE = 1_024;
/** From this part of the rows on, the memory of a process counts as its rest. */
const WARM = 0.2;
const GROWTH_MB = 64;
const WALLET = '4410270001';
const HEADINGS = ['Alıcı Adı', 'IBAN', 'VKN', 'Tutar', 'Ödeme Türü', 'Açıklama'];

type Line = { iban: string; taxNumber: string; minor: number };
type Result = { reference: string; amount: string; state: string };

export async function measureBatchRun(
  stand: Stand,
  given: { ibanOf: (n: number) => string; taxNumberOf: (n: number) => string },
): Promise<Figure[]> {
  // No last two digits from 10 to 39 are magic at the sandbox.
  const lines = Array.from({ length: ROWS }, (_, n): Line => ({
    iban: given.ibanOf(100_000 + n),
    taxNumber: given.taxNumberOf(100_000 + n),
    minor: (20 + (n % 900)) * 100 + 10 + (n % 30),
  }));
  await stand.sandbox('POST', `wallets/${WALLET}`, { withdrawal_limit: '100000000.00' });
  const browser = await chromium.launch({
    executablePath: await findChromium(stand.signal, () => undefined),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const context = await browser.newContext({ locale: 'tr-TR', timezoneId: 'Europe/Istanbul' });
    const cookies = await signIn(stand);
    await context.addCookies(
      Object.entries(cookies).map(([name, value]) => ({ name, value, url: stand.origin })),
    );
    const page = await context.newPage();
    const checked = await uploadAndCheck(page, stand, lines);
    await send(page);
    const { seconds, growthMb } = await run(page, stand);
    const results = await resultOf(page, cookieHeader(cookies));
    const wrong = await differences(stand, lines, results);
    return [
      absolute(`a file of ${ROWS} rows in a browser: uploaded and checked`, checked, 's', {
        atMost: 10,
      }),
      absolute('… every row sent and its page says so, rows a second', ROWS / seconds, ''),
      absolute('… rows of the result file that differ from the ledger', wrong, '', { atMost: 0 }),
      absolute('… memory of the web and the workers, from a fifth of the rows on', growthMb, 'MB', {
        atMost: GROWTH_MB,
      }),
    ];
  } finally {
    await browser.close();
  }
}

/** In seconds, from the choice of the file to the sentence that every row is ready. */
async function uploadAndCheck(page: Page, stand: Stand, lines: readonly Line[]): Promise<number> {
  const rows = lines.map(({ iban, taxNumber, minor }, n) =>
    [
      // Not a name of the earlier payouts: another account of the same payee is a warning.
      `Tedarikçi ${n}`,
      iban,
      taxNumber,
      `${Math.floor(minor / 100)},${minor % 100}`,
      '06',
      `Fatura ${n}`,
    ].join(';'),
  );
  const text = [HEADINGS.join(';'), ...rows].join('\r\n');
  await page.goto(`${stand.origin}/batches/new`);
  await page.getByLabel('Ödeyen cüzdan').selectOption(WALLET);
  const begun = performance.now();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'odemeler.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.waitForURL(/\/batches\/[0-9a-f-]{36}$/, { timeout: SHOWN_MS });
  await page.getByText('Bütün satırlar hazır.').waitFor({ timeout: SHOWN_MS });
  return (performance.now() - begun) / 1_000;
}

async function send(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('button', { name: /ödemeyi gönder \(/ })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /ödemeyi gönder$/ })
    .click();
  await page.getByText('Gönderiliyor', { exact: true }).first().waitFor({ timeout: SHOWN_MS });
}

/** Until the page says that the batch is over, and the provider has said what became of each row. */
async function run(page: Page, stand: Stand): Promise<{ seconds: number; growthMb: number }> {
  const begun = performance.now();
  const id = idOf(page);
  const pids = [stand.stack.webs[0]!, ...stand.stack.workers].map(({ pid }) => pid!);
  const rest = new Map<number, number>();
  let growth = 0;
  for (const end = Date.now() + PATIENCE_MS; ; await pause(POLL_MS)) {
    stand.signal.throwIfAborted();
    const { rows } = await stand.owner.query<{ done: number; left: number; hold: string | null }>(
      `SELECT (count(*) FILTER (WHERE m.state = 'COMPLETED'))::int AS done,
         (count(*) FILTER (WHERE w.refused_at IS NULL AND (m.id IS NULL OR m.ended_at IS NULL)))::int
           AS left, (SELECT hold FROM batch_runs r WHERE r.batch_id = $1) AS hold
       FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id WHERE w.batch_id = $1`,
      [id],
    );
    const { done, left, hold } = rows[0]!;
    if (hold !== null) throw new Error(`The batch paused by itself: ${hold}.`);
    if (done >= ROWS * WARM)
      for (const pid of pids) {
        const now = memory(pid, 'VmRSS') / MEGABYTE;
        rest.set(pid, rest.get(pid) ?? now);
        growth = Math.max(growth, now - rest.get(pid)!);
      }
    if (left === 0) break;
    if (Date.now() > end)
      throw new Error(`After ${PATIENCE_MS / 60_000} min, ${left} rows are open.`);
  }
  await page.getByText('Bitti', { exact: true }).first().waitFor({ timeout: SHOWN_MS });
  return { seconds: (performance.now() - begun) / 1_000, growthMb: growth };
}

async function resultOf(page: Page, cookie: string): Promise<Result[]> {
  const origin = new URL(page.url()).origin;
  const answer = await fetch(`${origin}/batches/${idOf(page)}/result?profile=csv`, {
    headers: { cookie },
  });
  if (!answer.ok) throw new Error(`The result file was answered ${answer.status}.`);
  const [entry] = unzip(Buffer.from(await answer.arrayBuffer())).values();
  const { data } = papaparse.parse<string[]>(entry!.toString('utf8').trim());
  const [head, ...lines] = data;
  const column = (name: string): number => {
    const at = head!.findIndex((cell) => cell.replace(/^\uFEFF/, '') === name);
    if (at < 0) throw new Error(`The result file has no column ${name}: ${head!.join(', ')}.`);
    return at;
  };
  const [state, paid, reference] = ['state', 'paid', 'reference'].map(column);
  return lines
    .filter((cells) => cells.length === head!.length)
    .map((cells) => ({
      state: cells[state!]!,
      amount: cells[paid!]!,
      reference: cells[reference!]!,
    }));
}

/** How many rows differ: another amount or account, not exactly one execution, or no end. */
async function differences(
  stand: Stand,
  lines: readonly Line[],
  results: readonly Result[],
): Promise<number> {
  const ledger = await stand.sandbox<
    { ext_transaction_id: string | null; iban: string; amount: string }[]
  >('GET', 'ledger?kind=payout&seeded=0');
  const byReference = Map.groupBy(ledger, (line) => line.ext_transaction_id ?? '');
  const isSame = (line: Line, at: number): boolean => {
    const result = results[at];
    const executed = byReference.get(result?.reference ?? '?') ?? [];
    return (
      result?.state === 'COMPLETED' &&
      executed.length === 1 &&
      executed[0]!.iban === line.iban &&
      minorOf(executed[0]!.amount) === line.minor &&
      minorOf(result.amount) === line.minor
    );
  };
  return (
    lines.filter((line, at) => !isSame(line, at)).length + Math.abs(results.length - lines.length)
  );
}

function minorOf(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function idOf(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1)!;
}
