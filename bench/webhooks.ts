/**
 * Measures the webhook endpoint: webhooks with a new body each, acknowledged when they are on disk,
 * and the effect of a burst of them on other requests.
 */
import { join } from 'node:path';
import { freePort } from '../scripts/ports.ts';
import { nodeProgram, supervise } from '../scripts/processes.ts';
import { secretsOf } from '../scripts/secrets.ts';
import { absolute, against, median, quantile, rounded, type Figure } from './figures.ts';
import type { Floor } from './floor.ts';
import { expectAll, load, loadAlone, type Answered } from './load.ts';
import { seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const CONNECTIONS = 64;
const SECONDS = 3;
const ROUNDS = 5;
const BURST = 10_000;
const PAGES_BEFORE = 60;
const PAGE_CONNECTIONS = 1;
/**
 * Every n-th webhook of the burst names a payout of the product, and so causes a query to the
 * provider.
 */
const OURS_EVERY = 10;
/**
 * How many provider queries webhooks may cause in a burst of up to a minute
 * (`lib/webhooks/receive.ts` limits them to 50 in 5 seconds).
 */
const PULLS_MAX = 600;
const P99_MAX_MS = 1_000;
const READY_MS = 60_000;

let sent = 0;

export async function measureWebhooks(stand: Stand, floor: Floor): Promise<Figure[]> {
  const path = walletDoor(stand);
  const door = stand.origin + path;
  return withWebhooksAlone(stand, async (alone) => [
    ...(await measureRates(stand, floor, door, alone + path)),
    ...(await measureBurst(stand, door)),
    ...(await measureBurstAlone(stand, alone + path)),
  ]);
}

/** The path at which a web takes webhooks of the wallet service. */
export function walletDoor({ dataDir }: Stand): string {
  return `/api/webhooks/${secretsOf(dataDir).WEBHOOK_KEY}/wallet`;
}

type Side = 'ours' | 'alone' | 'next' | 'plain';

async function measureRates(
  stand: Stand,
  floor: Floor,
  door: string,
  alone: string,
): Promise<Figure[]> {
  const rates: Record<Side, number[]> = { ours: [], alone: [], next: [], plain: [] };
  const p99: number[] = [];
  const targets: Record<Side, string> = {
    ours: door,
    next: `${floor.origin}/api/insert`,
    alone,
    plain: floor.plain,
  };
  // The sides take turns, so that a disturbance of the machine hits all of them; the first round
  // only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, url] of Object.entries(targets) as [Side, string][]) {
      const answered = await load({
        url,
        connections: CONNECTIONS,
        seconds: SECONDS,
        body: () => webhook(),
        signal: stand.signal,
      });
      expectAll(`webhooks to ${name}`, answered, 200);
      if (round === 0) continue;
      rates[name].push(answered.perSecond);
      if (name === 'ours') p99.push(quantile(answered.latencies, 0.99));
    }
  }
  const { ours, alone: own, next, plain } = rates;
  return [
    against(
      'webhooks a second: taken, deduplicated, durable / Next route with INSERT',
      median(ours),
      median(next),
      '',
      { atLeast: 2.5 },
      `p99 ${rounded(median(p99))} ms`,
    ),
    against('the same / plain Node with INSERT', median(ours), median(plain), '', {
      atLeast: 0.6,
    }),
    against(
      'the same, by `npm run webhooks` / plain Node with INSERT',
      median(own),
      median(plain),
      '',
      { atLeast: 0.6 },
    ),
  ];
}

/** Runs `npm run webhooks` beside the product; `work` gets its address. */
async function withWebhooksAlone<T>(
  stand: Stand,
  work: (origin: string) => Promise<T>,
): Promise<T> {
  const port = String(await freePort());
  const env = { ...process.env, DATA_DIR: stand.dataDir, PORT: port, LOG_LEVEL: 'warn' };
  const alone = supervise(
    nodeProgram(
      'webhooks-command',
      ['scripts/webhooks.ts'],
      env,
      join(stand.dataDir, 'logs', 'webhooks-command.log'),
    ),
    () => undefined,
  );
  const origin = `http://127.0.0.1:${port}`;
  try {
    if (!(await alone.announced(READY_MS))) throw new Error('npm run webhooks did not start');
    return await work(origin);
  } finally {
    await alone.stop();
  }
}

async function measureBurst(stand: Stand, door: string): Promise<Figure[]> {
  const [before, looksBefore] = [await kept(stand), await looksCaused(stand)];
  const { burst, calm, meanwhile } = await pagesDuringBurst(stand, door);
  const taken = burst.statuses[200] ?? 0;
  return [
    absolute(
      `a burst of ${BURST.toLocaleString('en')} webhooks: not taken, or taken and not on disk`,
      BURST - taken + Math.abs(taken - ((await kept(stand)) - before)),
      '',
      { atMost: 0 },
    ),
    absolute(
      'the same: answered, 99 of 100',
      quantile(burst.latencies, 0.99),
      'ms',
      { atMost: P99_MAX_MS },
      `${CONNECTIONS} connections, ${rounded(burst.perSecond)} a second`,
    ),
    absolute(
      'the same: looks at the provider that it caused',
      (await looksCaused(stand)) - looksBefore,
      '',
      { atMost: PULLS_MAX },
      `one webhook in ${OURS_EVERY} names a payout of ours`,
    ),
    duringBurst('the list page during that burst / before it', calm, meanwhile),
  ];
}

async function measureBurstAlone(stand: Stand, door: string): Promise<Figure[]> {
  const { burst, calm, meanwhile } = await pagesDuringBurst(stand, door);
  expectAll('webhooks of the burst', burst, 200);
  return [
    duringBurst(
      'the list page during a burst at `npm run webhooks` / before it',
      calm,
      meanwhile,
      `${rounded(burst.perSecond)} a second`,
    ),
  ];
}

export function duringBurst(what: string, calm: Answered, meanwhile: Answered, note = ''): Figure {
  return against(
    what,
    median(meanwhile.latencies),
    median(calm.latencies),
    'ms',
    { atMost: 2 },
    [`${meanwhile.latencies.length} pages`, note].filter(Boolean).join(', '),
  );
}

/**
 * Loads list pages of the web at `origin` before and during a burst of webhooks, of which some name
 * payouts of ours.
 */
export async function pagesDuringBurst(
  stand: Stand,
  door: string,
  origin = stand.origin,
): Promise<{ burst: Answered; calm: Answered; meanwhile: Answered }> {
  const page = {
    url: `${origin}/payouts`,
    connections: PAGE_CONNECTIONS,
    headers: { cookie: cookieHeader(await signIn(stand)) },
  };
  await seedCompleted(stand, BURST / OURS_EVERY);
  await load({ ...page, count: PAGES_BEFORE });
  const calm = await loadAlone({ ...page, count: PAGES_BEFORE });
  expectAll('pages before the burst', calm, 200);
  const { rows: ours } = await stand.owner.query<{ reference: string }>(
    `SELECT ext_id AS reference FROM movements WHERE state = 'COMPLETED' ORDER BY created_at DESC LIMIT $1`,
    [BURST / OURS_EVERY],
  );
  const over = new AbortController();
  const pages = loadAlone({ ...page, signal: over.signal });
  const burst = await load({
    url: door,
    connections: CONNECTIONS,
    count: BURST,
    body: (n) => webhook(n % OURS_EVERY === 0 ? ours[n / OURS_EVERY]?.reference : undefined),
    signal: stand.signal,
  });
  over.abort();
  const meanwhile = await pages;
  expectAll('pages during the burst', meanwhile, 200);
  return { burst, calm, meanwhile };
}

/**
 * Makes the body of a webhook as the provider sends it. Without a reference it is about an unknown
 * payout: it is stored and announced to open pages, and causes no query.
 */
export function webhook(reference?: string): string {
  sent += 1;
  return (
    `{"ext_transaction_id":"${reference ?? `NOBODYS${sent}`}","after_process_status":1,` +
    `"transaction_id":7091162577253000184,"request_withdraw_id":${sent},"reason":"İşlem ` +
    'başarılı"}'
  );
}

/**
 * Counts the provider queries that webhooks caused. Those that the workers make by their schedule
 * are not counted.
 */
async function looksCaused(stand: Stand): Promise<number> {
  return (
    await stand.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM notices WHERE effect = 'asked_provider'`,
    )
  ).rows[0]!.n;
}

async function kept(stand: Stand): Promise<number> {
  return (await stand.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM notices')).rows[0]!
    .n;
}
