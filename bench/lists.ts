/**
 * Measures a person's actions on a list (sort, filter, next page, arrival) with 10,000 and 100,000
 * payouts of the product, against the floor with 10,000 rows in memory.
 */
import type { Browser, Page } from '@playwright/test';
import { visit, withBrowser } from './browser.ts';
import { absolute, against, median, type Figure } from './figures.ts';
import type { Floor } from './floor.ts';
import { load } from './load.ts';
import { seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const RUNS = 3;
const SIZES = [10_000, 100_000];
const PAGE_ROWS = 25;
const DEEP = 1_000;
const REQUESTS = 20;
const PATIENCE_MS = 15_000;
const WORST_EVENT_MS = 64;
const HOVER_MS = 300;
const ROWS = 'table tbody';
const TENTH_ROW = `${ROWS} tr:nth-child(10)`;

/** How to operate the list of the product or of the floor. */
type Side = {
  origin: string;
  stand?: Stand;
  path: string;
  sort(page: Page): Promise<void>;
  filter(page: Page): Promise<void>;
  next(page: Page): Promise<void>;
  /** A page with a link to the list, and the selector of that link. */
  from: { path: string; link: string };
};
type Step = 'sort' | 'filter' | 'next' | 'deep';
/** Milliseconds until the last change was painted, and of the longest event. */
type Done = { settled: number; worstEvent: number };
const STEPS: Record<Step, { what: string; budget: number }> = {
  sort: { what: 'sort', budget: 1.1 },
  filter: { what: 'filter', budget: 1.1 },
  next: { what: 'next page', budget: 1.1 },
  deep: { what: `next page on page ${DEEP}`, budget: 1.1 },
};

export async function measureLists(stand: Stand, floor: Floor): Promise<Figure[]> {
  const ours: Side = {
    origin: stand.origin,
    stand,
    path: '/payouts',
    sort: (page) => page.locator('thead th:first-child a').click(),
    filter: async (page) => {
      await page.locator('#filter-text').fill('Toprak');
      await page.keyboard.press('Enter');
    },
    next: (page) => page.locator('nav a[href*="after="]').last().click(),
    from: { path: '/settings', link: 'nav a[href="/payouts"]' },
  };
  const theirs: Side = {
    origin: floor.origin,
    path: '/list',
    sort: (page) => page.locator('button[data-sort=name]').click(),
    filter: (page) => page.locator('input[type=search]').fill('99'),
    next: (page) => page.locator('#next').click(),
    from: { path: '/links', link: 'a[href="/list"]' },
  };
  return withBrowser(stand, async (browser) => {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const { rows } = await stand.owner.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM movements',
      );
      await seedCompleted(stand, Math.max(0, size - rows[0]!.n));
      figures.push(
        ...(await measureSteps(
          browser,
          ours,
          theirs,
          size,
          await addressOfPage(stand, Math.min(DEEP, size / PAGE_ROWS - 2)),
        )),
      );
      figures.push(await measureDepth(stand, size));
    }
    return [...(await measureArrival(browser, ours, theirs)), ...figures];
  });
}

async function measureSteps(
  browser: Browser,
  ours: Side,
  theirs: Side,
  size: number,
  deepPath: string,
): Promise<Figure[]> {
  const names = Object.keys(STEPS) as Step[];
  const took = { ours: new Map<Step, Done[]>(), theirs: new Map<Step, Done[]>() };
  for (let run = 0; run < RUNS; run++) {
    for (const [side, at] of [
      [ours, took.ours],
      [theirs, took.theirs],
    ] as const) {
      for (const step of names) {
        if (step === 'deep' && (side === theirs || size / PAGE_ROWS < DEEP)) continue;
        at.set(step, [...(at.get(step) ?? []), await doStep(browser, side, step, deepPath)]);
      }
    }
  }
  const many = size.toLocaleString('en');
  const compared = names
    .filter((step) => took.ours.has(step))
    .map((step) =>
      against(
        `${STEPS[step].what}, ${many} payouts`,
        median(took.ours.get(step)!.map(({ settled }) => settled)),
        median(took.theirs.get(step === 'deep' ? 'next' : step)!.map(({ settled }) => settled)),
        'ms',
        { atMost: STEPS[step].budget },
      ),
    );
  return [
    ...compared,
    absolute(
      `worst event meanwhile, ${many} payouts`,
      worstEvent(took.ours),
      'ms',
      { atMost: WORST_EVENT_MS },
      `the floor's: ${worstEvent(took.theirs)} ms`,
    ),
  ];
}

/** The longest event of any step, as the median of the step's runs. */
function worstEvent(steps: ReadonlyMap<Step, Done[]>): number {
  return Math.max(...[...steps.values()].map((runs) => median(runs.map((run) => run.worstEvent))));
}

async function doStep(browser: Browser, side: Side, step: Step, deepPath: string): Promise<Done> {
  const visitor = await visit(browser, side.origin, side.stand);
  try {
    const { page } = visitor;
    await page.goto(side.origin + (step === 'deep' ? deepPath : side.path));
    await page.locator(TENTH_ROW).waitFor();
    await visitor.quiet();
    await page.evaluate((region) => window.bench.watch(region), ROWS);
    await side[step === 'deep' ? 'next' : step](page);
    const settled = await (
      await page.waitForFunction(() => window.bench.settled(), undefined, { timeout: PATIENCE_MS })
    ).jsonValue();
    return {
      settled: settled ?? Number.NaN,
      worstEvent: await page.evaluate(() => window.bench.worstEvent),
    };
  } finally {
    await visitor.close();
  }
}

/**
 * Measures the time from the click on a link to the painted list, with the link prefetched and
 * without any prefetching.
 */
async function measureArrival(browser: Browser, ours: Side, theirs: Side): Promise<Figure[]> {
  const took = { oursCold: [] as number[], oursWarm: [] as number[], theirsCold: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    for (const [name, side, ahead] of [
      ['oursCold', ours, false],
      ['theirsCold', theirs, false],
      ['oursWarm', ours, true],
    ] as const)
      took[name].push(await arrive(browser, side, ahead));
  }
  const floor = median(took.theirsCold);
  return [
    against('click → list painted, nothing fetched ahead', median(took.oursCold), floor, 'ms', {
      atMost: 1.1,
    }),
    against(
      'click → list painted, after the link was seen and hovered',
      median(took.oursWarm),
      floor,
      'ms',
      { atMost: 0.6 },
    ),
  ];
}

async function arrive(
  browser: Browser,
  { origin, stand, from }: Side,
  ahead: boolean,
): Promise<number> {
  const visitor = await visit(browser, origin, stand);
  try {
    const { page } = visitor;
    if (!ahead)
      await page.route('**/*', (route) =>
        route.request().headers()['next-router-prefetch'] === undefined
          ? route.fallback()
          : route.abort(),
      );
    await page.goto(origin + from.path);
    await visitor.quiet();
    await page.locator(from.link).first().hover();
    if (ahead) await page.waitForTimeout(HOVER_MS);
    await page.evaluate((region) => window.bench.watch(region), ROWS);
    await page.locator(from.link).first().click();
    const settled = await (
      await page.waitForFunction(() => window.bench.settled(), undefined, { timeout: PATIENCE_MS })
    ).jsonValue();
    return settled ?? Number.NaN;
  } finally {
    await visitor.close();
  }
}

/**
 * Measures the server's response time for the deepest page against the first page; the two requests
 * differ only in the position.
 */
async function measureDepth(stand: Stand, size: number): Promise<Figure> {
  const headers = { cookie: cookieHeader(await signIn(stand)) };
  const pages = size / PAGE_ROWS - 2;
  const [first, deep] = [
    `${stand.origin}/payouts`,
    stand.origin + (await addressOfPage(stand, pages)),
  ];
  const took = { first: [] as number[], deep: [] as number[] };
  for (let n = 0; n < REQUESTS; n++) {
    for (const [name, url] of [
      ['first', first],
      ['deep', deep],
    ] as const)
      took[name].push(...(await load({ url, connections: 1, count: 1, headers })).latencies);
  }
  return against(
    `page ${pages.toLocaleString('en')} / page 1, ${size.toLocaleString('en')} payouts`,
    median(took.deep),
    median(took.first),
    'ms',
    { atMost: 2 },
    'the whole answer of the server',
  );
}

/**
 * Returns the pager's address of a page, which names the last row of the page before (keyset
 * pagination).
 */
async function addressOfPage(stand: Stand, page: number): Promise<string> {
  const { rows } = await stand.owner.query<{ edge: string }>(
    `SELECT id || '_' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS
      edge FROM movements ORDER BY created_at DESC, id OFFSET $1 LIMIT 1`,
    [(page - 1) * PAGE_ROWS - 1],
  );
  return `/payouts?${new URLSearchParams({ after: rows[0]!.edge }).toString()}`;
}
