import { describe, expect, it } from 'vitest';
import { heardUnder } from './claim-rules.ts';
import type { Heard } from './claim-rules.ts';
import { LEASE_MS } from './schedule.ts';
import { T0 } from './testing/movement.ts';

const notFound: Heard = { witness: 'read', kind: 'read', outcome: { kind: 'not_found', raw: '{}' } };
const notListed: Heard = { witness: 'ledger', kind: 'ledger', outcome: { kind: 'not_listed', raw: '{}' } };
const unclear: Heard = { witness: 'answer', kind: 'answer', outcome: { kind: 'unclear', why: 'timeout', raw: null, code: null, message: null } };
const held = { leaseToken: 'mine', leaseUntil: T0 + LEASE_MS };

describe('what was heard', () => {
  it('under a lease that somebody else holds by now, or nobody, is late', () => {
    for (const heard of [notFound, notListed, unclear]) {
      expect(heardUnder(held, 'mine', heard, T0)).toBe(heard);
      expect(heardUnder({ ...held, leaseToken: 'other' }, 'mine', heard, T0)).toMatchObject({ late: true });
      expect(heardUnder({ leaseToken: null, leaseUntil: null }, 'mine', heard, T0)).toMatchObject({ late: true });
    }
  });

  it('when a look was made says nothing of later: a worker that slept over it hands it in late, though nobody took its row', () => {
    for (const look of [notFound, notListed]) {
      expect(heardUnder(held, 'mine', look, T0 + LEASE_MS - 1)).toBe(look);
      expect(heardUnder(held, 'mine', look, T0 + LEASE_MS)).toMatchObject({ late: true });
    }
  });

  it('in answer to a request speaks of that request, however late it is written down, as long as nobody took the row', () => {
    expect(heardUnder(held, 'mine', unclear, T0 + 10 * LEASE_MS)).toBe(unclear);
  });
});
