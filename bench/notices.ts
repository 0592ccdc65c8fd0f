/**
 * Measures the webhook endpoint: webhooks with a new body each, acknowledged when they are on disk,
 * and the effect of a burst of them on other requests.
 */
import { secretsOf } from '../scripts/secrets.ts';
import { absolute, against, median, quantile, rounded, type Figure } from './figures.ts';
import type { Floor } from './floor.ts';
import { expectAll, load } from './load.ts';
import { seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const CONNECTIONS = 64;
const SECONDS = 3;
const ROUNDS = 2;
const BURST = 10_000;
const PAGES_BEFORE = 30;
const PAGE_CONNECTIONS = 1;
/**
 * Every n-th webhook of the burst names a payout of the product, and so causes a query to the
 * provider.
 */
const OURS_EVERY = 10;
/**
 * How many provider queries webhooks may cause in a burst, which spans two minutes
 * (`lib/webhooks/receive.ts` limits them per minute).
 */
const PULLS_MAX = 2 * 600;
const P99_MAX_MS = 1_000;

let sent = 0;

export async function measureNotices(stand: Stand, floor: Floor): Promise<Figure[]> {
  const door = `${stand.origin}/api/webhooks/${secretsOf(stand.dataDir).WEBHOOK_KEY}/wallet`;
  const rates: Record<'ours' | 'next' | 'plain', number[]> = { ours: [], next: [], plain: [] };
  const p99: number[] = [];
  const targets = { ours: door, next: `${floor.origin}/api/insert`, plain: floor.plain };
  // The three sides take turns, so that a disturbance of the machine hits all of them; the first
  // round only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ['ours', 'next', 'plain'] as const) {
      const answered = await load({
        url: targets[name],
        connections: CONNECTIONS,
        seconds: SECONDS,
        body: () => notice(),
        signal: stand.signal,
      });
      expectAll(`notices to ${name}`, answered, 200);
      if (round === 0) continue;
      rates[name].push(answered.perSecond);
      if (name === 'ours') p99.push(quantile(answered.latencies, 0.99));
    }
  }
  const ours = median(rates.ours);
  return [
    against(
      'notices a second: taken, deduplicated, durable / Next route with INSERT',
      ours,
      median(rates.next),
      '',
      { atLeast: 0.9 },
      `p99 ${rounded(median(p99))} ms`,
    ),
    against(
      'the same / plain Node with INSERT',
      ours,
      median(rates.plain),
      '',
      undefined,
      'the budget of 0.15 waits for a door before Next',
    ),
    ...(await measureBurst(stand, door)),
  ];
}

async function measureBurst(stand: Stand, door: string): Promise<Figure[]> {
  const page = {
    url: `${stand.origin}/payouts`,
    connections: PAGE_CONNECTIONS,
    headers: { cookie: cookieHeader(await signIn(stand)) },
  };
  await load({ ...page, count: PAGES_BEFORE });
  const calm = await load({ ...page, count: PAGES_BEFORE });
  expectAll('pages before the burst', calm, 200);
  await seedCompleted(stand, BURST / OURS_EVERY);
  const { rows: ours } = await stand.owner.query<{ reference: string }>(
    `SELECT ext_id AS reference FROM movements WHERE state = 'COMPLETED' ORDER BY created_at DESC LIMIT $1`,
    [BURST / OURS_EVERY],
  );
  const [before, pulledBefore] = [await kept(stand), await pulled(stand)];
  const over = new AbortController();
  const pages = load({ ...page, signal: over.signal });
  const burst = await load({
    url: door,
    connections: CONNECTIONS,
    count: BURST,
    body: (n) => notice(n % OURS_EVERY === 0 ? ours[n / OURS_EVERY]?.reference : undefined),
    signal: stand.signal,
  });
  over.abort();
  const meanwhile = await pages;
  expectAll('pages during the burst', meanwhile, 200);
  const taken = burst.statuses[200] ?? 0;
  return [
    absolute(
      `a burst of ${BURST.toLocaleString('en')} notices: not taken, or taken and not on disk`,
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
      'the same: looks at the provider that it pulled',
      (await pulled(stand)) - pulledBefore,
      '',
      { atMost: PULLS_MAX },
      `one notice in ${OURS_EVERY} names a payout of ours`,
    ),
    against(
      'the list page during that burst / before it',
      median(meanwhile.latencies),
      median(calm.latencies),
      'ms',
      { atMost: 2 },
      `${meanwhile.latencies.length} pages`,
    ),
  ];
}

/**
 * Makes the body of a webhook as the provider sends it. Without a reference it is about an unknown
 * payout: it is stored and announced to open pages, and causes no query.
 */
function notice(reference?: string): string {
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
async function pulled(stand: Stand): Promise<number> {
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
