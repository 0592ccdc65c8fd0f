/**
 * Measures how the search and the totals of the list of payouts grow from 10,000 payouts to 100,000
 * and 1,000,000: the whole answer of the server, beside the one at 10,000.
 */
import { against, median, type Figure } from './figures.ts';
import { expectAll, load } from './load.ts';
import { seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const REQUESTS = 20;
const GROWTH_MAX = 1.5;
/** In parts, so that a run that is interrupted ends soon. */
const AT_ONCE = 100_000;

const QUESTIONS: Record<string, string> = {
  'rows and totals without a filter': '',
  'totals of a tab': 'view=failed',
  'totals of some months': 'from=2020-01-01&to=2100-01-01',
  'search: a word that one in five has': 'q=toprak',
  'search: a whole name': 'q=i%C5%9F%C4%B1l+toprak+4321',
  'search: an absent word': 'q=kimse',
  'search: an amount': 'q=1.230%2C00',
};

export async function measureGrowth(stand: Stand): Promise<Figure[]> {
  const headers = { cookie: cookieHeader(await signIn(stand)) };
  const figures: Figure[] = [];
  const first = new Map<string, number>();
  for (const size of SIZES) {
    await growTo(stand, size);
    for (const [what, query] of Object.entries(QUESTIONS)) {
      const answered = await load({
        url: `${stand.origin}/api/payouts?${query}`,
        connections: 1,
        count: REQUESTS,
        headers,
        signal: stand.signal,
      });
      expectAll(what, answered, 200);
      const took = median(answered.latencies);
      const least = first.get(what);
      if (least === undefined) first.set(what, took);
      else
        figures.push(
          against(`${what}, ${size.toLocaleString('en')} payouts / 10,000`, took, least, 'ms', {
            atMost: GROWTH_MAX,
          }),
        );
    }
  }
  return figures;
}

async function growTo(stand: Stand, size: number): Promise<void> {
  for (;;) {
    const { rows } = await stand.owner.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM movements',
    );
    const missing = size - rows[0]!.n;
    if (missing <= 0) return;
    stand.signal.throwIfAborted();
    await seedCompleted(stand, Math.min(AT_ONCE, missing));
  }
}
