/**
 * Measures what opening a page costs on a person's machine, against the emptiest page that this
 * stack can serve; the runs alternate.
 */
import type { Browser } from '@playwright/test';
import { visit, withBrowser } from './browser.ts';
import { absolute, against, median, type Figure } from './figures.ts';
import type { Floor } from './floor.ts';
import { load } from './load.ts';
import { seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const RUNS = 5;
/** The runs alternate between both languages. */
const LOCALES = ['tr-TR', 'en-GB'];
/** Requests to each page before it is measured, so that the server's one-time work is done. */
const WARM_UP = 5;
const ROWS = 'table tbody tr:nth-child(10)';

type Kind = 'login' | 'list' | 'page' | 'form' | 'detail';
type Target = {
  name: string;
  kind: Kind;
  origin: string;
  path: string;
  ready: string;
  stand?: Stand;
};
type Cost = {
  scriptKB: number;
  requests: number;
  lcp: number;
  cpu: number;
  style: number;
  shift: number;
};

/**
 * The largest ratio of the product's value to the floor's. Pages, forms and details are measured against
 * the floor's list.
 */
const BUDGETS: Record<Kind, { scriptKB: number; lcp?: number; cpu?: number }> = {
  login: { scriptKB: 1.08 },
  list: { scriptKB: 1.15, lcp: 1.4, cpu: 1.5 },
  page: { scriptKB: 1.35, lcp: 1.4 },
  form: { scriptKB: 1.5 },
  detail: { scriptKB: 1.5 },
};
const SHIFT_MAX = 0.002;

export async function measurePageLoads(stand: Stand, floor: Floor): Promise<Figure[]> {
  await seedCompleted(stand, 100);
  await stand.owner.query(
    `INSERT INTO notices (merchant_id, channel, body_hash, body, effect)
      SELECT $1, 'wallet', sha256(convert_to(n::text, 'UTF8')), '{}', 'not_understood'
      FROM generate_series(1, 30) n`,
    [stand.merchantId],
  );
  const { rows } = await stand.owner.query<{ id: string }>(
    `SELECT id FROM movements WHERE state = 'COMPLETED' ORDER BY created_at DESC LIMIT 1`,
  );
  const login = {
    name: 'login',
    kind: 'login',
    origin: floor.origin,
    path: '/login',
    ready: 'button[type=submit]',
  } as const;
  const list = {
    name: 'list',
    kind: 'list',
    origin: floor.origin,
    path: '/list',
    ready: ROWS,
  } as const;
  const mine = { origin: stand.origin, stand } as const;
  const ours: Target[] = [
    { ...login, origin: stand.origin },
    { name: 'home', kind: 'page', path: '/', ready: 'main h1', ...mine },
    { name: 'wallets', kind: 'page', path: '/wallets', ready: 'main h1', ...mine },
    {
      name: 'transactions',
      kind: 'page',
      path: '/reports/transactions',
      ready: 'main h1',
      ...mine,
    },
    { name: 'card sales', kind: 'page', path: '/cards/payments', ready: 'main h1', ...mine },
    { name: 'payouts', kind: 'list', path: '/payouts', ready: ROWS, ...mine },
    { name: 'webhook log', kind: 'list', path: '/webhooks', ready: ROWS, ...mine },
    { name: 'new payout', kind: 'form', path: '/payouts/new', ready: 'main form', ...mine },
    {
      name: 'one payout',
      kind: 'detail',
      path: `/payouts/${rows[0]!.id}`,
      ready: 'article h1',
      ...mine,
    },
  ];
  const headers = { cookie: cookieHeader(await signIn(stand)) };
  for (const { origin, path } of [login, list, ...ours])
    await load({ url: origin + path, connections: 1, count: WARM_UP, headers });
  return withBrowser(stand, async (browser) => {
    const costs = new Map<Target, Cost[]>([login, list, ...ours].map((target) => [target, []]));
    for (let run = 0; run < RUNS; run++) {
      for (const [target, found] of costs) {
        stand.signal.throwIfAborted();
        found.push(await open(browser, target, LOCALES[run % LOCALES.length]!));
      }
    }
    return ours.flatMap((target) =>
      compare(
        target,
        medians(costs.get(target)!),
        medians(costs.get(target.kind === 'login' ? login : list)!),
      ),
    );
  });
}

async function open(
  browser: Browser,
  { origin, path, ready, stand }: Target,
  locale: string,
): Promise<Cost> {
  const visitor = await visit(browser, origin, stand, { locale });
  try {
    await visitor.page.goto(origin + path, { waitUntil: 'commit' });
    await visitor.page.locator(ready).first().waitFor();
    await visitor.quiet();
    const { all: cpu, style } = await visitor.mainThreadMs();
    const { lcp, shift } = await visitor.page.evaluate(() => ({
      lcp: window.bench.lcp,
      shift: window.bench.shift,
    }));
    return {
      scriptKB: visitor.line.scriptBytes / 1024,
      requests: visitor.line.requests,
      lcp,
      cpu,
      style,
      shift,
    };
  } finally {
    await visitor.close();
  }
}

function medians(costs: Cost[]): Cost {
  const of = (name: keyof Cost) => median(costs.map((cost) => cost[name]));
  return {
    scriptKB: of('scriptKB'),
    requests: of('requests'),
    lcp: of('lcp'),
    cpu: of('cpu'),
    style: of('style'),
    shift: Math.max(...costs.map((cost) => cost.shift)),
  };
}

function compare({ name, kind }: Target, ours: Cost, floor: Cost): Figure[] {
  const budget = BUDGETS[kind];
  const atMost = (value: number | undefined) =>
    value === undefined ? undefined : { atMost: value };
  return [
    against(
      `${name}: JavaScript`,
      ours.scriptKB,
      floor.scriptKB,
      'KB',
      atMost(budget.scriptKB),
      `${ours.requests} requests, the floor ${floor.requests}`,
    ),
    against(`${name}: largest paint`, ours.lcp, floor.lcp, 'ms', atMost(budget.lcp)),
    against(`${name}: main-thread processor`, ours.cpu, floor.cpu, 'ms', atMost(budget.cpu)),
    against(`${name}: style of that`, ours.style, floor.style, 'ms'),
    absolute(`${name}: layout shift`, ours.shift, '', { atMost: SHIFT_MAX }),
  ];
}
