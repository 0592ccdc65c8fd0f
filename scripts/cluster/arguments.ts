import { parseArgs } from 'node:util';
import { Refused } from '../refused.ts';

/** What `npm run cluster -- --kill` can name. */
export const VICTIMS = ['primary', 'web', 'worker', 'proxy'] as const;
export type Victim = (typeof VICTIMS)[number];

/** How often a drill kills each part. `async`: promotions of a standby that lacks commits. */
export type Counts = Record<Victim | 'async', number>;
export type Order =
  | { kind: 'show'; pooler: boolean }
  | { kind: 'kill'; victim: Victim }
  | { kind: 'drill'; pooler: boolean; counts: Counts; seed: number };

/** A drill that takes about ten minutes. */
const USUAL: Counts = { primary: 3, web: 3, worker: 3, proxy: 1, async: 1 };
const LARGEST = 1_000;
const LARGEST_SEED = 999_999;

const OPTIONS = {
  drill: { type: 'boolean', default: false },
  kill: { type: 'string' },
  pooler: { type: 'boolean', default: false },
  primary: { type: 'string' },
  webs: { type: 'string' },
  workers: { type: 'string' },
  proxy: { type: 'string' },
  async: { type: 'string' },
  seed: { type: 'string' },
} as const;

/**
 * Reads the arguments of `npm run cluster`.
 *
 * @throws Refused with one line that names the argument
 */
export function readArguments(args: string[], seed: number): Order {
  const { values } = parsed(args);
  const numbers = ['primary', 'webs', 'workers', 'proxy', 'async', 'seed'] as const;
  const given = numbers.filter((name) => values[name] !== undefined);
  if (!values.drill && given.length > 0)
    throw new Refused(`--${given[0]} belongs to a drill: add --drill.`);
  if (values.kill !== undefined) {
    if (values.drill || values.pooler)
      throw new Refused('--kill goes to a cluster that runs already: give it alone.');
    return { kind: 'kill', victim: victimOf(values.kill) };
  }
  if (!values.drill) return { kind: 'show', pooler: values.pooler };
  const count = (name: (typeof numbers)[number], usual: number, most = LARGEST): number =>
    values[name] === undefined ? usual : whole(name, values[name], most);
  return {
    kind: 'drill',
    pooler: values.pooler,
    counts: {
      primary: count('primary', USUAL.primary),
      web: count('webs', USUAL.web),
      worker: count('workers', USUAL.worker),
      proxy: count('proxy', USUAL.proxy),
      async: count('async', USUAL.async),
    },
    seed: count('seed', seed, LARGEST_SEED),
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS });
  } catch (error) {
    throw new Refused((error as Error).message);
  }
}

function victimOf(text: string): Victim {
  const victim = VICTIMS.find((name) => name === text);
  if (victim === undefined)
    throw new Refused(`--kill is "${text}": it is one of ${VICTIMS.join(', ')}.`);
  return victim;
}

function whole(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most)
    throw new Refused(`--${name} is "${text}": it is a whole number of at most ${most}.`);
  return value;
}
