/**
 * Reads a provider's days into the mirror and queries the mirror, in processes of their own as in
 * the worker and the web: `sync` or `queries`. Prints the figures as one line of JSON.
 */
import { writeFileSync } from 'node:fs';
import { median } from './figures.ts';
import { actAs, disconnect } from '#lib/runtime/db.ts';
import { createWalletClient } from '#lib/providers/wallet/client.ts';
import { dayReader } from '#lib/provider-records/read-days.ts';
import { readTransactionQuery } from '#lib/reports/transactions/filter.ts';
import { listTransactions, sumTransactions } from '#lib/reports/transactions/list.ts';

const RUNS = 21;
const DEEP = 1_000;
const MEGABYTE_KB = 1_024;

const {
  BENCH_MERCHANT: merchantId = '',
  BENCH_FROM: from = '',
  BENCH_TO: to = '',
  BENCH_OUT: out = '',
} = process.env;

async function sync(): Promise<object> {
  actAs('dashboard_worker');
  const {
    WALLET_AUTH_URL: authUrl = '',
    WALLET_API_URL: apiUrl = '',
    WALLET_CLIENT_ID: clientId = '',
    WALLET_CLIENT_SECRET: clientSecret = '',
    WALLET_SCOPE: scope = '',
  } = process.env;
  const wallet = createWalletClient({ authUrl, apiUrl, clientId, clientSecret, scope });
  await wallet.listTransactions(
    { from: new Date().toISOString(), to: new Date().toISOString() },
    { index: 0, size: 1 },
  );
  const read = dayReader(merchantId, 'ledger', wallet);
  const before = process.resourceUsage().maxRSS;
  const begun = performance.now();
  while (await read());
  return {
    ms: performance.now() - begun,
    grownMb: (process.resourceUsage().maxRSS - before) / MEGABYTE_KB,
  };
}

async function queries(): Promise<object> {
  actAs('dashboard_web');
  const actor = {
    kind: 'person',
    merchantId,
    personId: '',
    sessionId: '',
    name: '',
    email: '',
    role: 'clerk',
    standsInFor: null,
    ip: null,
  } as const;
  const query = (more: Record<string, string> = {}) =>
    readTransactionQuery({ from, to, ...more }, new Date().toISOString(), 'en');
  const before = await listTransactions(actor, query({ page: String(DEEP - 1) }));
  const deep = { ...query(), place: before.older, page: DEEP };
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const took: number[] = [];
    for (let run = -2; run < RUNS; run++) {
      const begun = performance.now();
      await work();
      if (run >= 0) took.push(performance.now() - begun);
    }
    return median(took);
  };
  return {
    firstMs: await timed(() => listTransactions(actor, query())),
    deepMs: await timed(() => listTransactions(actor, deep)),
    numberMs: await timed(() => listTransactions(actor, query({ page: String(DEEP) }))),
    amountMs: await timed(() => listTransactions(actor, query({ sort: '-amount' }))),
    sumsMs: await timed(() => sumTransactions(actor, query().filter)),
  };
}

writeFileSync(out, JSON.stringify(await (process.argv[2] === 'sync' ? sync() : queries())));
await disconnect();
