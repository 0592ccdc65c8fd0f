import { describe, expect, test } from 'vitest';
import { gravest } from './stops.ts';

describe('what holds sending', () => {
  test('the gravest cause is the one that is said', () => {
    expect(gravest([{ cause: 'person' }, { cause: 'environment' }, { cause: 'recovery' }])).toEqual(
      { cause: 'environment' },
    );
    expect(gravest([])).toBeNull();
  });
});
