import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tryMutation } from './mutate.ts';
import type { Verdict } from './mutate.ts';
import { editsOf, testOf } from './planted/mutation.ts';
import { MUTATIONS } from './planted/list.ts';
import { misfit } from './plant.ts';
import { onThreads, Thread } from './pool.ts';
import { RULES } from './violation.ts';

/** Nearly all bugs are found within a hundred worlds; the rarest has needed 1,509. */
const SEEDS = { from: 1, seeds: 8_000 };
const THREADS = Math.min(2, availableParallelism());
/**
 * Rules that no single patch breaks: the reducer itself refuses to leave a final state (I6, W),
 * only the simulator's own desk could lose a form (I12) or play what the product lacks (V), and a
 * card world compares the page with the gateway's records (C3) before its end (C2). Of batches the
 * simulator plays the SQL itself (M1, M2). The tests of the worlds break these rules by hand.
 */
const BEYOND_PATCHES: readonly string[] = ['I6', 'I12', 'V', 'W', 'C2', 'M1', 'M2'];
/** The test takes seconds on a free machine. */
const PATIENCE_MS = 1_200_000;

/**
 * Bugs that the simulator has to find. `npm run sim -- --mutations` also tries those that a test
 * file has to find; of these, this test only checks that their patches still fit.
 */
const OF_THE_SIMULATOR = MUTATIONS.filter((one) => testOf(one) === null);

const verdicts = new Map<string, Verdict>();

beforeAll(async () => {
  const left = [...OF_THE_SIMULATOR].reverse();
  await onThreads(THREADS, async (thread) => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      verdicts.set(one.name, await tryMutation(thread, one, SEEDS));
  });
}, PATIENCE_MS);

describe('a bug planted in the product is found', () => {
  test.each(OF_THE_SIMULATOR.map(({ name, about }) => [name, about]))('%s: %s', (name) => {
    const { killedBy, problem } = verdicts.get(name)!;
    expect(problem).toBeNull();
    expect(killedBy, 'the world that finds it').not.toBeNull();
  });

  test('every patch fits its file, every name is used once', () => {
    expect(MUTATIONS.map(misfit).filter((one) => one !== null)).toEqual([]);
    expect(new Set(MUTATIONS.map((one) => one.name)).size).toBe(MUTATIONS.length);
  });

  test('every rule finds one', () => {
    const found = new Set([...verdicts.values()].map((one) => one.killedBy?.rule));
    expect(
      Object.keys(RULES).filter(
        (rule) => !found.has(rule as keyof typeof RULES) && !BEYOND_PATCHES.includes(rule),
      ),
    ).toEqual([]);
  });
});

describe('the search for planted bugs', { timeout: PATIENCE_MS }, () => {
  const thread = new Thread();
  afterAll(() => thread.end());
  const some = { ...MUTATIONS[0]!, ...editsOf(MUTATIONS[0]!)[0]! };

  test('says so when a patch no longer fits the code', async () => {
    expect(misfit({ ...some, find: 'this stands nowhere' })).toContain('0 times');
    expect(
      (await tryMutation(thread, { ...some, find: 'this stands nowhere' }, SEEDS)).problem,
    ).toContain('0 times');
  });

  test('finds nothing where nothing is wrong', async () => {
    const harmless = { ...some, name: 'harmless', replace: some.find, drill: '12' };
    expect(await tryMutation(thread, harmless, SEEDS)).toMatchObject({
      killedBy: null,
      problem: null,
    });
  });

  test('does not take code that cannot run for a bug that was found', async () => {
    expect(
      await tryMutation(thread, { ...some, name: 'unreadable', replace: 'const const' }, SEEDS),
    ).toMatchObject({ killedBy: null, problem: expect.stringContaining('') });
  });

  test('notices a bug that dies without its drill’s trouble too', async () => {
    const anywhere = MUTATIONS.find((one) => one.name === 'unaudited')!;
    expect((await tryMutation(thread, { ...anywhere, drill: '12' }, SEEDS)).problem).toContain(
      'without the fault too',
    );
  });
});
