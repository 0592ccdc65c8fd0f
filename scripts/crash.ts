/**
 * `npm run crash -- [--operations N] [--kills N] [--suspensions N] [--seed N]`: the long crash
 * test, in real time. Prints which processes were killed and what became of the money. `--payouts
 * N` instead of `--operations`: bank payouts only.
 */
import { parseArgs } from 'node:util';
import { runCrash } from './checks/crash.ts';
import { forgetOurVariables } from './environment.ts';
import { watchInterruption } from './interrupted.ts';
import { printError, Refused } from './refused.ts';

const interrupted = watchInterruption();

try {
  const { values } = parseArgs({
    options: {
      operations: { type: 'string' },
      payouts: { type: 'string' },
      kills: { type: 'string', default: '150' },
      suspensions: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  forgetOurVariables();
  const { operations, payouts } = values;
  if (operations !== undefined && payouts !== undefined)
    throw new Refused('--operations plays every kind, --payouts bank payouts alone: one of them.');
  const env = {
    CRASH_OPERATIONS: whole(
      payouts === undefined ? 'operations' : 'payouts',
      payouts ?? operations ?? '2000',
    ),
    CRASH_KILLS: whole('kills', values.kills),
    CRASH_SUSPENSIONS: whole('suspensions', values.suspensions),
    CRASH_SEED: whole('seed', values.seed),
    CRASH_REAL_TIME: '1',
    ...(payouts === undefined ? {} : { CRASH_KINDS: 'payout' }),
  };
  const outcome = await runCrash({
    signal: interrupted.signal,
    live: true,
    env,
    args: ['e2e/crash/storm.test.ts'],
  });
  if (outcome.report !== '') console.log(outcome.report);
  console.log(`\n${outcome.passed} passed, ${outcome.failed} failed`);
  process.exit(outcome.failed === 0 ? 0 : 1);
} catch (error) {
  printError(error);
  process.exit(1);
}

function whole(name: string, text: string): string {
  if (!/^\d{1,6}$/.test(text))
    throw new Refused(`--${name} is "${text}": it is a whole number of at most six digits.`);
  return text;
}
