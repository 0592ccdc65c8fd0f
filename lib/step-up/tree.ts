import 'server-only';
import { createHash } from 'node:crypto';

/**
 * Many items under one hash: a binary tree of SHA-256 whose root stands for all of them. Each item
 * keeps its steps to the root, so that one row of a batch proves that it was approved without the
 * others (docs/decisions/0046). Pure; all hashes hexadecimal.
 */

/** The hash beside one on its way to the root, and the side on which it stands. */
export type TreeStep = { left: string } | { right: string };

export type HashTree = { root: string; steps: TreeStep[][] };

/** `items`: at least one. `steps`: those of each item, in the same order. */
export function treeOf(items: readonly string[]): HashTree {
  const steps = items.map((): TreeStep[] => []);
  let level = items.map((hash, at) => ({ hash, of: [at] }));
  while (level.length > 1) {
    const next: typeof level = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at]!, level[at + 1]];
      // An odd one goes up as it is.
      if (right === undefined) next.push(left);
      else {
        for (const one of left.of) steps[one]!.push({ right: right.hash });
        for (const one of right.of) steps[one]!.push({ left: left.hash });
        next.push({ hash: node(left.hash, right.hash), of: [...left.of, ...right.of] });
      }
    }
    level = next;
  }
  return { root: root(level[0]!.hash), steps };
}

/** The root that these steps lead to from an item. */
export function rootFrom(item: string, steps: readonly TreeStep[]): string {
  return root(
    steps.reduce(
      (hash, step) => ('left' in step ? node(step.left, hash) : node(hash, step.right)),
      item,
    ),
  );
}

function node(left: string, right: string): string {
  return sha256(['batch node', left, right]);
}

/** A batch of one row has another hash than its row. */
function root(top: string): string {
  return sha256(['batch', 1, top]);
}

function sha256(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
