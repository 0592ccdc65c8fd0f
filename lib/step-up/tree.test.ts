import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rootFrom, treeOf } from './tree.ts';

const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const items = fc.uniqueArray(hash, { minLength: 1, maxLength: 40 });

describe('a hash tree', () => {
  it('is proved by each of its items with its own steps', () => {
    fc.assert(
      fc.property(items, (all) => {
        const { root, steps } = treeOf(all);
        all.forEach((item, at) => expect(rootFrom(item, steps[at]!)).toBe(root));
      }),
    );
  });

  it('is not proved by another item, nor by the steps of another', () => {
    fc.assert(
      fc.property(items, hash, (all, other) => {
        fc.pre(!all.includes(other));
        const { root, steps } = treeOf(all);
        all.forEach((item, at) => {
          expect(rootFrom(other, steps[at]!)).not.toBe(root);
          const next = (at + 1) % all.length;
          if (next !== at) expect(rootFrom(item, steps[next]!)).not.toBe(root);
        });
      }),
    );
  });

  it('has another root for another order, for fewer items and for a changed one', () => {
    fc.assert(
      fc.property(items, hash, (all, other) => {
        fc.pre(all.length > 1 && !all.includes(other));
        const { root } = treeOf(all);
        expect(treeOf(all.toReversed()).root).not.toBe(root);
        expect(treeOf(all.slice(1)).root).not.toBe(root);
        expect(treeOf([other, ...all.slice(1)]).root).not.toBe(root);
      }),
    );
  });

  it('of one item has another hash than the item', () => {
    const item = 'a'.repeat(64);
    const { root, steps } = treeOf([item]);
    expect(steps).toEqual([[]]);
    expect(root).not.toBe(item);
  });

  it('has no more steps than its depth', () => {
    const all = Array.from({ length: 5_000 }, (_, at) => at.toString(16).padStart(64, '0'));
    expect(Math.max(...treeOf(all).steps.map((one) => one.length))).toBe(13);
  });
});
