import { describe, expect, it } from 'vitest';
import { accessLevel } from '#lib/providers/wallet/wire.ts';
import { mayPayFrom } from './may-pay-from.ts';

describe('whether money may leave a wallet', () => {
  it('follows the level the provider wrote, and is a yes for none but an active one', () => {
    const verdicts = ['1', '2', '3', '4', '0', '7', '', null].map((level) =>
      mayPayFrom(accessLevel(level)),
    );
    expect(verdicts).toEqual([
      { kind: 'yes' },
      { kind: 'no', why: 'blocked' },
      { kind: 'no', why: 'banned' },
      { kind: 'no', why: 'closed' },
      { kind: 'unsure' },
      { kind: 'unsure' },
      { kind: 'unsure' },
      { kind: 'unsure' },
    ]);
  });
});
