/**
 * `npm run bench` measures the product against what this machine can do, in one run. `-- --only
 * payouts,webhooks` runs some parts, `-- --out figures.md` also writes the table to a file, `-- --json
 * figures.json` its figures. It takes about eight minutes and needs an otherwise idle machine.
 * `-- --against HEAD~1 --only payouts` measures an earlier commit beside this one. `-- --only growth
 * --rows 1000000` makes fewer payouts than the ten million of `growth`, which take an hour; it runs
 * only when it is named.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { forgetOurVariables } from '../scripts/environment.ts';
import { watchInterruption } from '../scripts/interrupted.ts';
import { printError, Refused } from '../scripts/refused.ts';
import { absolute, table, verdict, type Figure } from './figures.ts';
import { measureBatches } from './batches.ts';
import { measureExports } from './exports.ts';
import { measureGrowth } from './growth.ts';
import { startFloor, type Floor } from './floor.ts';
import { describeMachine } from './machine.ts';
import { measureLists } from './lists.ts';
import { measureLive } from './live.ts';
import { measureWebhooks } from './webhooks.ts';
import { measurePageLoads } from './page-loads.ts';
import { measurePaired } from './paired.ts';
import { measurePayouts } from './payouts.ts';
import { measureReports } from './reports.ts';
import { measureSandbox } from './sandbox.ts';
import { measureScale } from './scale.ts';
import { forgetWork } from './seed.ts';
import { measureServerPages } from './server-pages.ts';
import { measureStart } from './start.ts';
import { withStand, type Stand } from './stand.ts';

const { signal } = watchInterruption();

const PARTS: Record<string, (stand: Stand, floor: Floor) => Promise<Figure[]>> = {
  webhooks: measureWebhooks,
  'server-pages': measureServerPages,
  payouts: measurePayouts,
  live: measureLive,
  'page-loads': measurePageLoads,
  lists: measureLists,
  exports: measureExports,
  batches: measureBatches,
  reports: measureReports,
  growth: measureGrowth,
  scale: measureScale,
  start: measureStart,
  sandbox: measureSandbox,
};

try {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'string' },
      against: { type: 'string' },
      pairs: { type: 'string', default: '5' },
      rows: { type: 'string' },
    },
  });
  const names = values.only?.split(',') ?? Object.keys(PARTS).filter((name) => name !== 'growth');
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown !== undefined)
    throw new Refused(`There is no part "${unknown}": ${Object.keys(PARTS).join(', ')}.`);
  forgetOurVariables();
  const text = await measured(names, values);
  if (values.out !== undefined) writeFileSync(values.out, text);
  process.exit(0);
} catch (error) {
  printError(error);
  process.exit(1);
}

async function measured(
  names: string[],
  { against, pairs, json, rows }: { against?: string; pairs: string; json?: string; rows?: string },
): Promise<string> {
  if (rows !== undefined && !/^\d{5,8}$/.test(rows))
    throw new Refused(`--rows ${rows} is no size.`);
  if (against === undefined)
    return run(names, { json, rows: rows === undefined ? undefined : Number(rows) });
  if (!/^[1-9]\d?$/.test(pairs)) throw new Refused(`--pairs ${pairs} is no count of pairs.`);
  const text = await measurePaired({ against, pairs: Number(pairs), only: names, signal });
  console.log(text);
  return text;
}

async function run(
  names: string[],
  { json, rows }: { json: string | undefined; rows: number | undefined },
): Promise<string> {
  const begun = Date.now();
  const before = describeMachine();
  const figures = await withStand(
    { signal, webs: 2, workers: 2, rows, say: (line) => console.log(`  ${line}`) },
    async (stand) => {
      // Only the part `scale` needs it, and starts it.
      await stand.stack.webs[1]?.stop();
      const floor = await startFloor(stand);
      const all: Figure[] = [];
      for (const name of names) {
        signal.throwIfAborted();
        console.log(`· ${name}`);
        await forgetWork(stand);
        // A part that cannot be measured counts as short of its budget; the other parts still run.
        const found = await PARTS[name]!(stand, floor).catch((error: Error): Figure[] => [
          absolute(
            `${name}: could not be measured`,
            Number.NaN,
            '',
            { atLeast: 0 },
            error.message.split('\n')[0],
          ),
        ]);
        console.log(`${table(found)}\n`);
        all.push(...found);
      }
      await floor.stop();
      return all;
    },
  );
  const short = figures.filter((figure) => verdict(figure) === 'short').length;
  const judged = figures.filter((figure) => verdict(figure) !== '').length;
  const text =
    `${table(figures)}\n\n${before}, at the end ${describeMachine().replace(/^.*, /, '')}; ` +
    `${Math.round((Date.now() - begun) / 1000)} s; ${judged - short} of ${judged} budgets ` +
    'met.\n';
  console.log(text);
  if (json !== undefined) writeFileSync(json, JSON.stringify(figures));
  return text;
}
