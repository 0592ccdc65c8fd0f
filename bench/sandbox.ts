/**
 * Measures the sandbox by itself, in a process and a folder of its own: a mixed load, lists over
 * many transactions, and what is left after SIGKILL.
 */
import { MAIN_WALLET, Sandbox } from '../sandbox/testing/sandbox.ts';
import { Shop } from '../sandbox/testing/shop.ts';
import { Writes } from '../sandbox/testing/writes.ts';
import { absolute, median, quantile, rounded, type Figure } from './figures.ts';
import { cpuMs } from './machine.ts';
import { fill } from './sandbox-fill.ts';
import { Mix } from './sandbox-mix.ts';
import type { Stand } from './stand.ts';

const CONNECTIONS = 16;
const SECONDS = 4;
const ROUNDS = 3;
const LEAST_PER_SECOND = 500;
const TRANSACTIONS = 100_000;
const LIST_RUNS = 11;
const LIST_MAX_MS = 50;
const PAGE_ROWS = 20;
const KILLS = 5;
const WRITES_BEFORE_A_KILL = 400;
const HANDS = 12;
const PATIENCE_MS = 60_000;
const BALANCE = '50000000.00';
const TEMPLATE = 'template';

export async function measureSandbox({ signal }: Stand): Promise<Figure[]> {
  const box = await new Sandbox().start();
  try {
    const shop = await new Shop(box).open();
    await box.post('bank/mode', { mode: 'auto', delayMs: 0 });
    await box.post('questions', { ledger_lag_min_ms: 0, ledger_lag_max_ms: 0 });
    await box.post(`wallets/${MAIN_WALLET}/topup`, { amount: BALANCE });
    const before = await measureMix(box, shop, 'empty', signal);
    await holdMany(box, shop);
    return [
      absolute(
        'sandbox: requests a second, mixed, empty',
        before.perSecond,
        '',
        { atLeast: LEAST_PER_SECOND },
        before.note,
      ),
      ...(await measureListCalls(box)),
      ...(await measureFull(box, shop, signal)),
      ...(await measureKills(box, shop, signal)),
    ];
  } finally {
    await box.stop();
  }
}

async function measureMix(
  box: Sandbox,
  shop: Shop,
  run: string,
  signal: AbortSignal,
): Promise<{ perSecond: number; note: string }> {
  const mix = new Mix(box, shop, run);
  await mix.warmUp();
  await mix.load(CONNECTIONS, 1, signal);
  const cpu = cpuMs([box.pid]);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await mix.load(CONNECTIONS, SECONDS, signal));
  const latencies = rounds.flatMap((one) => one.latencies);
  const cost = (cpuMs([box.pid]) - cpu) / latencies.length;
  return {
    perSecond: median(rounds.map((one) => one.perSecond)),
    note:
      `${Object.keys(rounds[0]!.answered).length} kinds of calls, ${CONNECTIONS} connections, ` +
      `webhooks sent; p50 ${rounded(quantile(latencies, 0.5))}, p99 ` +
      `${rounded(quantile(latencies, 0.99))} ms; its processor ${rounded(cost)} ms a request: ` +
      `a core of its own allows ${Math.round(1_000 / cost)} a second`,
  };
}

async function measureFull(box: Sandbox, shop: Shop, signal: AbortSignal): Promise<Figure[]> {
  const { perSecond, note } = await measureMix(box, shop, 'full', signal);
  return [
    absolute(
      `sandbox: requests a second, mixed, ${TRANSACTIONS.toLocaleString('en')} transactions`,
      perSecond,
      '',
      { atLeast: LEAST_PER_SECOND },
      note,
    ),
  ];
}

/** Adds many copies of one payout and one card sale, written while the sandbox is stopped. */
async function holdMany(box: Sandbox, shop: Shop): Promise<void> {
  await box.pay(TEMPLATE);
  await shop.paid({ invoice_id: TEMPLATE });
  await box.until(async () => (await box.ledgerOf(TEMPLATE))[0]?.['bank_state'] === 'completed');
  await box.end('SIGTERM');
  fill(box.folder, TEMPLATE, TRANSACTIONS);
  await box.boot();
  await shop.login();
}

const SUMMARY = 'TransactionData/SummaryRecordByFilter';
const WITHDRAWALS = 'TransactionData/GetRequestWithdrawListByFilter';
const WALLETS = 'Wallet/ListByFilter';
const lastPage = Math.floor(TRANSACTIONS / PAGE_ROWS) - 1;
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/**
 * What people and programs search for in lists. The minimum row count proves that the search
 * covered all transactions.
 */
const CALLS: [operation: string, what: string, filter: object, rows: number][] = [
  [SUMMARY, 'first page', {}, TRANSACTIONS],
  [SUMMARY, 'middle page', { page_index: Math.floor(lastPage / 2) }, TRANSACTIONS],
  [SUMMARY, 'last page', { page_index: lastPage }, TRANSACTIONS],
  [SUMMARY, 'by amount', { order_column: 'TxBaseAmount', order_by: 'asc' }, TRANSACTIONS],
  [
    SUMMARY,
    'one wallet, two types',
    { from_wallet_number: '4410270002', transaction_type_code_list: [2002, 1004] },
    TRANSACTIONS / 4,
  ],
  [SUMMARY, 'a range of amounts', { min_amount: 100, max_amount: 110 }, 1],
  [SUMMARY, 'a day', { start_date: dayAgo(2), end_date: dayAgo(1) }, TRANSACTIONS / 4],
  [SUMMARY, 'one reference', { ext_transaction_id: 'FILL-777' }, 1],
  [WITHDRAWALS, 'first page', {}, TRANSACTIONS],
  [WITHDRAWALS, 'middle page', { page_index: Math.floor(lastPage / 2) }, TRANSACTIONS],
  [WITHDRAWALS, 'last page', { page_index: lastPage }, TRANSACTIONS],
  [WITHDRAWALS, 'by amount', { order_column: 'BaseAmount' }, TRANSACTIONS],
  [
    WITHDRAWALS,
    'completed ones of a wallet',
    { process_level_status_id: 1, wallet_number: '4410270003' },
    TRANSACTIONS / 4,
  ],
  [WITHDRAWALS, 'a range of amounts', { begin_amount: 100, end_amount: 110 }, 1],
  [WITHDRAWALS, 'one IBAN', { iban: `TR${'777'.padStart(24, '0')}` }, 1],
  [WALLETS, 'first page', {}, 1],
  [WALLETS, 'by balance, one currency', { order_column: 'TotalBalance', currency_code: 'TRY' }, 1],
];

async function measureListCalls(box: Sandbox): Promise<Figure[]> {
  const took = new Map<string, { what: string; ms: number; cpu: number }[]>();
  for (const [operation, what, filter, rows] of CALLS) {
    const latencies: number[] = [];
    const cpu = cpuMs([box.pid]);
    for (let run = 0; run < LIST_RUNS; run++) {
      const sent = performance.now();
      const { text, json } = await box.call(operation, {
        order_column: 'CreatedDateUtc',
        order_by: 'desc',
        page_size: PAGE_ROWS,
        page_index: 0,
        ...filter,
      });
      latencies.push(performance.now() - sent);
      const found = (json['payload'] as { row_count?: number; results?: unknown[] } | null) ?? {};
      if ((found.row_count ?? 0) < rows || found.results?.length === 0)
        throw new Error(`${operation}, ${what}: ${text.slice(0, 200)}`);
    }
    took.set(operation, [
      ...(took.get(operation) ?? []),
      { what, ms: median(latencies), cpu: (cpuMs([box.pid]) - cpu) / LIST_RUNS },
    ]);
  }
  return [...took].map(([operation, kinds]) =>
    absolute(
      `sandbox: ${operation.split('/')[1]}, ${TRANSACTIONS.toLocaleString('en')} ` +
        'transactions, median of the slowest kind',
      Math.max(...kinds.map((one) => one.ms)),
      'ms',
      { atMost: LIST_MAX_MS },
      kinds
        .map((one) => `${one.what} ${rounded(one.ms)} (its processor ${rounded(one.cpu)})`)
        .join(', '),
    ),
  );
}

async function measureKills(box: Sandbox, shop: Shop, signal: AbortSignal): Promise<Figure[]> {
  const writes = new Writes(box, shop, 'killed');
  const problems: string[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    signal.throwIfAborted();
    const load = writes.run(HANDS);
    await box.until(() => writes.count >= kill * WRITES_BEFORE_A_KILL, PATIENCE_MS);
    await box.end('SIGKILL');
    await load;
    await box.boot();
    problems.push(...(await writes.problems()));
  }
  return [
    absolute(
      `sandbox: killed ${KILLS} times while it wrote: answered writes lost, changed or made twice`,
      problems.length,
      '',
      { atMost: 0 },
      problems[0] ?? `of ${writes.count}: payouts, card sales, holds, refunds, saved cards`,
    ),
  ];
}
