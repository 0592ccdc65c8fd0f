import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../crash/random.ts';
import { until } from '../crash/trouble.ts';
import { sandbox } from '../sandbox.ts';
import { executedAt, judge, stoppedBy, type Verdict } from './books.ts';
import { cluster } from './control.ts';
import { signInAt, startLoad, type Load } from './load.ts';

/** Kills parts of the cluster under load, one after the other. */

export type Victims = Readonly<Record<string, number>>;
type Kill = { name: string; at: number; wholeMs: number };

/** Workers note every 5 s which standby has every commit (lib/send-control/recovery/). */
const BETWEEN_MS = 8_000;
const WHOLE_MS = 180_000;
const BANK_MS = 300;

/** Returns whether nothing was lost and nothing was paid twice. */
export async function killAll(victims: Victims, seed: number): Promise<boolean> {
  await sandbox.calm();
  // The provider is strict: a second request before the first is on record is executed, too.
  await sandbox.questions({ dedupe: 'ledger', ledger_lag_min_ms: 500, ledger_lag_max_ms: 1_500 });
  await sandbox.bankMode('auto', BANK_MS);
  const load = startLoad(await signInAt('ayse@demo.test'));
  const kills: Kill[] = [];
  try {
    await paysAgain(0);
    for (const victim of orderOf(victims, new Random(seed, 'kills'))) {
      await pause(BETWEEN_MS);
      kills.push(await kill(victim, load));
    }
  } finally {
    await load.end();
  }
  const verdict = await judge(load.stored);
  const stopped = await stoppedBy();
  report(verdict, load, kills, stopped);
  const wrong = [verdict.lost, verdict.twice, verdict.strange, verdict.differ, stopped];
  return wrong.every((list) => list.length === 0);
}

async function kill(victim: string, load: Load): Promise<Kill> {
  const at = Date.now();
  const name = await cluster.kill(victim);
  await until(
    `the cluster works again without help after ${victim} ${name} was killed`,
    async () => load.isPageGood() && (await cluster.isWhole().catch(() => false)),
    WHOLE_MS,
  );
  const wholeMs = Date.now() - at;
  await paysAgain(Date.now());
  console.log(`  ${victim.padEnd(8)} ${name.padEnd(9)} killed; whole after ${seconds(wholeMs)}`);
  return { name: victim, at, wholeMs };
}

/** Waits until the provider has executed a payout after that time. */
async function paysAgain(since: number): Promise<void> {
  await until(
    'a payout is executed',
    async () => ((await executedAt().catch(() => [])).at(-1) ?? 0) > since,
    WHOLE_MS,
  );
}

function orderOf(victims: Victims, random: Random): string[] {
  return Object.entries(victims)
    .flatMap(([victim, count]) => Array.from({ length: count }, () => victim))
    .map((victim) => ({ victim, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ victim }) => victim);
}

function report(verdict: Verdict, load: Load, kills: readonly Kill[], stopped: string[]): void {
  const { asked, executed, lost, twice, strange, differ, pauses } = verdict;
  const names = [...new Set(kills.map(({ name }) => name))];
  const longest = (list: readonly { ms: number }[]): string =>
    seconds(Math.max(0, ...list.map(({ ms }) => ms)));
  const lines = names.map((name) => {
    const mine = kills.filter((one) => one.name === name);
    const during = <T extends { at: number; ms: number }>(list: readonly T[]): T[] =>
      list.filter(({ at, ms }) =>
        mine.some((one) => at + ms >= one.at && at <= one.at + one.wholeMs),
      );
    return (
      `${name.padEnd(9)}${String(mine.length).padStart(3)} kills: longest pause of payouts ` +
      `${longest(during(pauses))}, longest page error ${longest(during(load.pageErrors))}, ` +
      `whole again after at most ${longest(mine.map(({ wholeMs }) => ({ ms: wholeMs })))}`
    );
  });
  console.log(
    [
      '',
      ...lines,
      `payouts: ${asked} asked for, ${executed} executed by the provider, ${lost.length} lost, ` +
        `${twice.length} twice, ${strange.length} that nobody asked for, ${differ.length} shown otherwise`,
      `pages: ${load.pages} read, ${load.pageErrors.length} times in error`,
      `longest pause of payouts ${longest(pauses)}, longest page error ${longest(load.pageErrors)}`,
      stopped.length === 0 ? 'sending was not stopped' : `sending is stopped: ${stopped.join()}`,
      ...[...lost, ...twice, ...strange, ...differ].map((id) => `wrong: ${id}`),
    ].join('\n'),
  );
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
