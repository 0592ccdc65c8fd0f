/**
 * Measures how the server makes the list page: session checked in the database, 25 rows found and
 * rendered, texts in the person's language.
 */
import { against, median, type Figure } from './figures.ts';
import type { Floor } from './floor.ts';
import { expectAll, load } from './load.ts';
import { seedCompleted } from './seed.ts';
import { cookieHeader, signIn } from './session.ts';
import type { Stand } from './stand.ts';

const CONNECTIONS = 8;
const SECONDS = 4;
const ROUNDS = 3;
const ROWS = 1_000;

export async function measureServerPages(stand: Stand, floor: Floor): Promise<Figure[]> {
  await seedCompleted(stand, ROWS);
  const cookie = cookieHeader(await signIn(stand));
  const rates: Record<'ours' | 'floor', number[]> = { ours: [], floor: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, url] of [
      ['ours', `${stand.origin}/payouts`],
      ['floor', `${floor.origin}/server-list`],
    ] as const) {
      const answered = await load({
        url,
        connections: CONNECTIONS,
        seconds: SECONDS,
        headers: { cookie },
        signal: stand.signal,
      });
      expectAll(`pages of ${name}`, answered, 200);
      if (round > 0) rates[name].push(answered.perSecond);
    }
  }
  return [
    against(
      'signed-in list pages a second, from the server',
      median(rates.ours),
      median(rates.floor),
      '',
      { atLeast: 0.5 },
    ),
  ];
}
