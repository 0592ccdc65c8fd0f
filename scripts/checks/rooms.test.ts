import { describe, expect, test } from 'vitest';
import { ringsOf } from './rooms.ts';

const imports = (source: string, resolved: string, ...dependencyTypes: string[]) => ({
  source,
  dependencies: [{ resolved, dependencyTypes }],
});

describe('the rooms of lib/', () => {
  test('form no ring, however long, and each ring names the imports that make it', () => {
    const ring = [
      imports('lib/a/one.ts', 'lib/b/two.ts'),
      imports('lib/b/two.ts', 'lib/c/deep/three.ts'),
      imports('lib/c/three.ts', 'lib/a/other.ts'),
    ];
    expect(ringsOf(ring)).toEqual([
      'a > b > c > a: lib/a/one.ts → lib/b/two.ts, lib/b/two.ts → lib/c/deep/three.ts, lib/c/three.ts → lib/a/other.ts',
    ]);
    expect(ringsOf(ring.slice(0, 2))).toEqual([]);
  });

  test('may take types from each other, and tests may import anything', () => {
    const one = imports('lib/a/one.ts', 'lib/b/two.ts');
    expect(ringsOf([one, imports('lib/b/two.ts', 'lib/a/one.ts', 'type-only')])).toEqual([]);
    expect(ringsOf([one, imports('lib/b/two.test.ts', 'lib/a/one.ts')])).toEqual([]);
  });
});
