import { describe, expect, test } from 'vitest';
import { mostSevere } from './stops.ts';

describe('what holds sending', () => {
  test('the gravest cause is the one that is said', () => {
    expect(
      mostSevere([{ cause: 'person' }, { cause: 'environment' }, { cause: 'recovery' }]),
    ).toEqual({ cause: 'environment' });
    expect(mostSevere([])).toBeNull();
  });
});
