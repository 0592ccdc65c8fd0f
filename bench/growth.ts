/**
 * Measures how the product grows: lists, search, totals and a payout's page as the server answers
 * them, webhooks, and the worker's payouts, with 10,000 payouts, with 1,000,000 and with 10,000,000,
 * each with five rows of evidence. `-- --rows 1000000` ends earlier. The plans of every size are
 * written to docs/plans.
 */
import { join } from 'node:path';
import { ROOT } from '../scripts/processes.ts';
import { against, median, type Figure } from './figures.ts';
import { fillTo, prepareMonths } from './growth-rows.ts';
import { expectAll, load } from './load.ts';
import { webhook, walletDoor } from './webhooks.ts';
import { movePayouts, withoutWebhooks } from './payouts.ts';
import { writePlans } from './plans.ts';
import { forgetWork } from './seed.ts';
import { cookieHeader, signInAgain } from './session.ts';
import type { Stand } from './stand.ts';

const SIZES = [10_000, 1_000_000, 10_000_000];
const REQUESTS = 20;
const WEBHOOKS = 300;
const PAYOUTS = 100;
/** The largest ratio of a time to that of the smallest size. */
const GROWTH_MAX = 2;

const QUESTIONS: Record<string, string> = {
  'rows and totals without a filter': '/api/payouts?',
  'totals of a tab': '/api/payouts?view=failed',
  'totals of some months': '/api/payouts?from=2020-01-01&to=2100-01-01',
  'search: a word that one in five has': '/api/payouts?q=toprak',
  'search: a whole name': '/api/payouts?q=i%C5%9F%C4%B1l+toprak+4321',
  'search: an absent word': '/api/payouts?q=kimse',
  'search: an amount': '/api/payouts?q=1.230%2C00',
  home: '/',
};

export async function measureGrowth(stand: Stand): Promise<Figure[]> {
  const figures: Figure[] = [];
  const first = new Map<string, number>();
  await prepareMonths(stand);
  for (const size of SIZES.filter((one) => one <= stand.rows)) {
    await withoutWorkers(stand, () => fillTo(stand, size));
    // Making ten million rows takes longer than an idle session lasts.
    const cookie = cookieHeader(await signInAgain(stand));
    for (const [what, ms] of await measureAt(stand, cookie)) {
      // A run takes an hour: what was measured is on the screen also when it is interrupted.
      console.log(`  ${what}, ${size.toLocaleString('en')} payouts: ${ms.toFixed(1)} ms`);
      const least = first.get(what);
      if (least === undefined) first.set(what, ms);
      else
        figures.push(
          against(
            `${what}, ${size.toLocaleString('en')} payouts / ${SIZES[0]!.toLocaleString('en')}`,
            ms,
            least,
            'ms',
            { atMost: GROWTH_MAX },
          ),
        );
    }
    await writePlans(stand, join(ROOT, 'docs', 'plans', `growth-${size}.txt`), {
      ...(await questions(stand)),
      cookie,
    });
  }
  return figures;
}

/** Workers look for what is due every few seconds, for which the indexes are missing meanwhile. */
async function withoutWorkers({ stack }: Stand, work: () => Promise<void>): Promise<void> {
  await Promise.all(stack.workers.map((worker) => worker.stop()));
  try {
    await work();
  } finally {
    for (const worker of stack.workers) worker.start();
  }
}

/** The median time of each kind of work, in milliseconds. */
async function measureAt(stand: Stand, cookie: string): Promise<[what: string, ms: number][]> {
  const found: [string, number][] = [];
  for (const [what, path] of Object.entries((await questions(stand)).paths)) {
    const answered = await load({
      url: stand.origin + path,
      connections: 1,
      count: REQUESTS,
      headers: { cookie },
      signal: stand.signal,
    });
    expectAll(what, answered, 200);
    found.push([what, median(answered.latencies)]);
  }
  const webhooks = await load({
    url: stand.origin + walletDoor(stand),
    connections: 1,
    count: WEBHOOKS,
    body: () => webhook(),
    signal: stand.signal,
  });
  expectAll('webhooks', webhooks, 200);
  found.push(['a webhook, acknowledged on disk', median(webhooks.latencies)]);
  const { perSecond } = await withoutWebhooks(stand, () => movePayouts(stand, PAYOUTS));
  found.push(['a payout, from approved to completed', 1_000 / perSecond]);
  await forgetWork(stand);
  return found;
}

async function questions(stand: Stand): Promise<{ paths: Record<string, string> }> {
  const { rows } = await stand.owner.query<{ id: string }>(
    `SELECT id FROM movements WHERE state = 'COMPLETED' AND ext_id LIKE 'BENCH%' LIMIT 1`,
  );
  return { paths: { ...QUESTIONS, 'the page of a payout': `/payouts/${rows[0]!.id}` } };
}
