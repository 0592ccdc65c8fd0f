import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrub } from './scrub.ts';
import { aroundSecret, secret } from '#lib/testing/secret.ts';

describe('the last net under the log', () => {
  test('lets no card number, IBAN, national id, token or named secret through, whatever stands around it', () => {
    fc.assert(
      fc.property(secret, aroundSecret, ({ shown, core }, around) => {
        expect(scrub(around(shown))).not.toContain(core);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    'movement 0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e',
    '12345678-1234-4123-8123-123456789012',
    'ECONNREFUSED 127.0.0.1:5432',
    '2026-11-21T12:51:41.000Z',
    'P2010: the query failed',
    '10000000147',
    'Ready in 423ms',
    'step answer: SUBMITTING → PENDING',
  ])('leaves %j as it is', (text) => expect(scrub(text)).toBe(text));
});
