/**
 * Measures two webs and two workers beside one of each: payouts and pages for each second of
 * processor time, and the pages of one web while another one takes a burst of webhooks.
 */
import type { Supervised } from '../scripts/processes.ts';
import { against, median, rounded, type Figure } from './figures.ts';
import { expectAll, load } from './load.ts';
import { cpuMs } from './machine.ts';
import { duringBurst, pagesDuringBurst, walletDoor } from './webhooks.ts';
import { movePayouts, processorMs, withoutWebhooks } from './payouts.ts';
import { forgetWork, seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const ROUNDS = 3;
const PAYOUTS = 600;
const ROWS = 1_000;
const CONNECTIONS = 8;
const SECONDS = 4;
const WARM_SECONDS = 15;
const WEB_ROUNDS = 5;
const READY_MS = 60_000;
const BURSTS = 3;
/** The least work of two processes for a second of processor time, as a share of that of one. */
const SHARED_AT_LEAST = 0.9;

export async function measureScale(stand: Stand): Promise<Figure[]> {
  const workers = await withSecond(stand.stack.workers[1], (second) =>
    measureWorkers(stand, second),
  );
  await forgetWork(stand);
  return [
    workers,
    ...(await withSecond(stand.stack.webs[1], async () => [
      await measureWebs(stand),
      await measureBurstElsewhere(stand),
    ])),
  ];
}

/** Runs `work` with a second process, which is stopped at the latest afterwards. */
async function withSecond<T>(
  second: Supervised | undefined,
  work: (second: Supervised) => Promise<T>,
): Promise<T> {
  if (second === undefined) throw new Error('a second process is needed');
  second.start();
  try {
    if (!(await second.announced(READY_MS))) throw new Error(`${second.name} did not start`);
    return await work(second);
  } finally {
    await second.stop();
  }
}

type Rate = { perSecond: number; perProcessorSecond: number };

function figureOf(what: string, { one, two }: { one: Rate[]; two: Rate[] }): Figure {
  const of = (rates: Rate[], name: keyof Rate) => median(rates.map((rate) => rate[name]));
  return against(
    `${what} for a second of processor time, two / one`,
    of(two, 'perProcessorSecond'),
    of(one, 'perProcessorSecond'),
    '',
    { atLeast: SHARED_AT_LEAST },
    `${rounded(of(two, 'perSecond'))} and ${rounded(of(one, 'perSecond'))} a second`,
  );
}

/** First both workers, then one: a worker that has just started would be measured cold. */
async function measureWorkers(stand: Stand, second: Supervised): Promise<Figure> {
  const rounds = async (): Promise<Rate[]> => {
    const rates: Rate[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const moved = await movePayouts(stand, PAYOUTS);
      // The first round only warms up.
      if (round > 0)
        rates.push({
          perSecond: moved.perSecond,
          perProcessorSecond: 1_000 / processorMs(moved),
        });
    }
    return rates;
  };
  return withoutWebhooks(stand, async () => {
    const two = await rounds();
    await second.stop();
    return figureOf('payouts of workers', { one: await rounds(), two });
  });
}

/**
 * One and both webs in turns, so that a disturbance of the machine hits both. Before that each web
 * makes some hundred pages alone: the second one has just started, and would be measured cold.
 */
async function measureWebs(stand: Stand): Promise<Figure> {
  await seedCompleted(stand, ROWS);
  const cookie = cookieHeader(await signIn(stand));
  const { origins } = stand.stack;
  for (const origin of origins) await pagesOf(stand, [origin], cookie, WARM_SECONDS);
  const rates: { one: Rate[]; two: Rate[] } = { one: [], two: [] };
  for (let round = 0; round < WEB_ROUNDS; round++) {
    for (const [name, count] of [
      ['two', 2],
      ['one', 1],
    ] as const)
      rates[name].push(await pagesOf(stand, origins.slice(0, count), cookie));
  }
  return figureOf('list pages of webs', rates);
}

async function pagesOf(
  stand: Stand,
  origins: readonly string[],
  cookie: string,
  seconds = SECONDS,
): Promise<Rate> {
  const { webs, postgres } = stand.stack;
  const spent = () => cpuMs([...webs.map((web) => web.pid), postgres?.process.pid]);
  const before = spent();
  const answered = await Promise.all(
    origins.map((origin) =>
      load({
        url: `${origin}/payouts`,
        connections: CONNECTIONS / origins.length,
        seconds,
        headers: { cookie },
        signal: stand.signal,
      }),
    ),
  );
  const ms = spent() - before;
  for (const one of answered) expectAll('pages', one, 200);
  const pages = answered.reduce((sum, one) => sum + one.latencies.length, 0);
  return {
    perSecond: answered.reduce((sum, one) => sum + one.perSecond, 0),
    perProcessorSecond: (pages * 1_000) / ms,
  };
}

/** Three bursts, of which the one with the median ratio counts: the first one finds cold processes. */
async function measureBurstElsewhere(stand: Stand): Promise<Figure> {
  const [first, second] = stand.stack.origins;
  const bursts: Figure[] = [];
  for (let round = 0; round < BURSTS; round++) {
    const { burst, calm, meanwhile } = await pagesDuringBurst(
      stand,
      first! + walletDoor(stand),
      second,
    );
    expectAll('webhooks of the burst', burst, 200);
    bursts.push(
      duringBurst(
        'the list page of a web during a burst at another one / before it',
        calm,
        meanwhile,
        `${rounded(burst.perSecond)} a second`,
      ),
    );
  }
  return bursts.toSorted((a, b) => a.value! - b.value!)[BURSTS >> 1]!;
}
