import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { inBatches, type Done } from './batches.ts';

class ItemFault extends Error {}

/** A store whose batches are committed, or fail, when the test says so. */
function stored(options: Partial<Parameters<typeof inBatches<number, number>>[0]> = {}) {
  const begun: { items: readonly number[]; commit(): void; fail(error: Error): void }[] = [];
  const add = inBatches<number, number>({
    store: (items) =>
      new Promise((resolve, reject) =>
        begun.push({ items, commit: () => resolve(items.map((n) => n * 10)), fail: reject }),
      ),
    most: 4,
    lanes: 1,
    isOfOneItem: (error) => error instanceof ItemFault,
    turn: async () => {},
    ...options,
  });
  return { begun, add };
}

/** A promise that may be rejected before the test waits for it. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await turn();
  return (await Promise.race([promise.catch(() => null), Promise.resolve(open)])) === open;
}

describe('a batch', () => {
  test('holds what arrived together, and settles each item with its own result after the commit', async () => {
    const { begun, add } = stored();
    const all = [1, 2, 3].map(add);
    await turn();
    expect(begun.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    expect(await isOpen(all[0]!)).toBe(true);
    begun[0]!.commit();
    expect(await Promise.all(all)).toEqual([10, 20, 30]);
  });

  test('that is being stored is followed by one of all that came meanwhile, up to the limit', async () => {
    const { begun, add } = stored();
    const first = add(0);
    await turn();
    const later = [1, 2, 3, 4, 5].map(add);
    await turn();
    expect(begun).toHaveLength(1);
    begun[0]!.commit();
    await first;
    await turn();
    expect(begun[1]!.items).toEqual([1, 2, 3, 4]);
    begun[1]!.commit();
    await turn();
    expect(begun[2]!.items).toEqual([5]);
    begun[2]!.commit();
    expect(await Promise.all(later)).toEqual([10, 20, 30, 40, 50]);
  });

  test('may be under way beside another one, as far as there are lanes', async () => {
    const { begun, add } = stored({ lanes: 2 });
    for (const n of [1, 2, 3]) {
      void add(n);
      await turn();
    }
    expect(begun.map(({ items }) => items)).toEqual([[1], [2]]);
  });

  test('has its turn after the size and time of the batch before it, for a rest after a large one', async () => {
    const turns: Done[] = [];
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const { begun, add } = stored({ turn: async (before) => void turns.push(before) });
    for (const n of [1, 2, 3]) void add(n);
    await turn();
    expect(begun).toHaveLength(1);
    void add(4);
    clock = 500;
    begun[0]!.commit();
    await turn();
    vi.restoreAllMocks();
    expect(begun).toHaveLength(2);
    expect(turns).toEqual([
      { size: 0, ms: 0 },
      { size: 3, ms: 500 },
    ]);
  });

  test('waits for its turn, and takes along what arrives until then', async () => {
    let go = (): void => undefined;
    const { begun, add } = stored({ turn: () => new Promise((resolve) => (go = resolve)) });
    void add(1);
    await turn();
    void add(2);
    await turn();
    expect(begun).toEqual([]);
    go();
    await turn();
    expect(begun.map(({ items }) => items)).toEqual([[1, 2]]);
  });

  test('that fails by one item loses no other: each is stored alone, and the faulty one fails', async () => {
    const { begun, add } = stored();
    const all = [1, 2, 3].map((n) => quiet(add(n)));
    await turn();
    begun[0]!.fail(new ItemFault());
    for (const at of [1, 2, 3]) {
      await turn();
      const { items, commit, fail } = begun[at]!;
      expect(items).toHaveLength(1);
      if (items[0] === 2) fail(new ItemFault('of 2'));
      else commit();
      await turn();
    }
    const settled = await Promise.allSettled(all);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('that fails by the database fails as a whole, and nothing is tried again', async () => {
    const { begun, add } = stored();
    const all = [1, 2].map(add);
    await turn();
    begun[0]!.fail(new Error('no connection'));
    const settled = await Promise.allSettled(all);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    expect(begun).toHaveLength(1);
    const next = add(3);
    await turn();
    begun[1]!.commit();
    expect(await next).toBe(30);
  });
});

test('whatever arrives when, and whatever fails: every item settles once, and by its own result', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ faulty: fc.boolean(), pause: fc.nat(2) }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (items, lanes) => {
        const kept = new Set<number>();
        const add = inBatches<number, number>({
          most: 5,
          lanes,
          isOfOneItem: (error) => error instanceof ItemFault,
          turn: async () => {},
          store: async (batch) => {
            await turn();
            if (batch.some((n) => items[n]!.faulty)) throw new ItemFault();
            for (const n of batch) {
              expect(kept.has(n), 'stored once').toBe(false);
              kept.add(n);
            }
            return batch;
          },
        });
        const all: Promise<number>[] = [];
        for (const [n, { pause }] of items.entries()) {
          all.push(quiet(add(n)));
          for (let left = pause; left > 0; left--) await turn();
        }
        const settled = await Promise.allSettled(all);
        settled.forEach((one, n) => {
          expect(one.status).toBe(items[n]!.faulty ? 'rejected' : 'fulfilled');
          if (one.status === 'fulfilled') expect(one.value).toBe(n);
          expect(kept.has(n)).toBe(!items[n]!.faulty);
        });
      },
    ),
    { numRuns: 100 },
  );
});
