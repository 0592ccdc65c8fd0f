import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT_KINDS, exitsOf, exitStates, isEnd } from './exits.ts';

describe('every state', () => {
  const all = EXIT_KINDS.flatMap((kind) => exitStates(kind).map((state) => ({ kind, state })));

  it.each(all)('$kind $state has a step out of it, or is an end', ({ kind, state }) => {
    expect(exitsOf(kind, state).length > 0).toBe(!isEnd(kind, state));
  });

  it('is left by verbs that the product has', () => {
    const source = globSync('lib/**/*.ts')
      .filter((path) => !path.includes('.test.') && !path.includes('generated'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    for (const { kind, state } of all) {
      for (const { verb } of exitsOf(kind, state))
        expect(source, `${verb} of ${kind} ${state}`).toMatch(
          new RegExp(`export async function ${verb}\\b`),
        );
    }
  });

  it('that only two people can end is reached by no machine alone', () => {
    expect(exitsOf('cashout', 'UNKNOWN').every(({ by }) => by === 'two people')).toBe(true);
    expect(exitsOf('payout', 'UNKNOWN').some(({ by }) => by === 'two people')).toBe(true);
  });
});
