import { describe, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

const read = (...args: string[]) => readArguments(args, 7);

describe('the arguments of npm run cluster', () => {
  test('without any it shows the cluster, and --pooler puts PgBouncer in front', () => {
    expect(read()).toEqual({ kind: 'show', pooler: false });
    expect(read('--pooler')).toEqual({ kind: 'show', pooler: true });
  });

  test('--kill names one part', () => {
    expect(read('--kill', 'primary')).toEqual({ kind: 'kill', victim: 'primary' });
    expect(() => read('--kill', 'database')).toThrow('primary, web, worker, proxy');
  });

  test('a drill takes a count for each part, and usual ones for the others', () => {
    expect(read('--drill')).toMatchObject({ kind: 'drill', seed: 7, pooler: false });
    expect(read('--drill', '--primary', '20', '--webs', '0', '--async', '5')).toEqual({
      kind: 'drill',
      pooler: false,
      counts: { primary: 20, web: 0, worker: 3, proxy: 1, async: 5 },
      seed: 7,
    });
  });

  test.each([
    [['--primary', '3'], '--drill'],
    [['--drill', '--primary=-1'], 'whole number'],
    [['--fast'], '--fast'],
    [['--drill', '--primary', '1.5'], 'whole number'],
    [['--drill', '--webs', 'many'], '--webs'],
    [['--drill', '--workers', '1001'], '1000'],
    [['--drill', '--kill', 'web'], 'alone'],
    [['--pooler', '--kill', 'web'], 'alone'],
  ])('%j is refused', (args, words) => {
    expect(() => read(...args)).toThrow(words);
  });
});
