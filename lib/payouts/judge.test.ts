import { describe, expect, it } from 'vitest';
import { contentHash } from '#lib/movements/content.ts';
import { minor } from '#lib/values/money.ts';
import { judgePayout } from './judge.ts';
import type { PayoutFormFacts } from './judge.ts';
import { SAMPLE, sampleFacts } from './rules.samples.ts';
import type { PayoutForm } from './schema.ts';

const { lastSendToIbanAt, fee, now } = sampleFacts();
const FACTS: PayoutFormFacts = {
  balance: {
    availableMinor: 9_631_255n,
    currency: 'TRY',
    access: 'active',
    limits: { withdrawalMinor: 20_000_000n },
  },
  types: [{ code: SAMPLE.paymentType, description: 'Diğer', descriptionMin: 0 }],
  earlier: null,
  recipient: { recent: [], saved: null, foreign: [], lastSendToIbanAt, fee, at: now },
};

function form(changes: Partial<PayoutForm['content']> = {}): PayoutForm {
  return {
    content: { ...SAMPLE, ...changes },
    writtenCurrency: null,
    overrides: [],
    overrideReason: null,
  };
}

describe('the verdict on a payout', () => {
  it('is the same for any number of forms judged with facts gathered once', () => {
    const forms = [form(), form({ amountMinor: SAMPLE.amountMinor }), form({ name: 'Başka Ltd.' })];
    const alone = forms.map((one) => judgePayout(one, structuredClone(FACTS)));
    expect(forms.map((one) => judgePayout(one, FACTS))).toEqual(alone);
    expect(alone[0]).toMatchObject({
      kind: 'new',
      content: { currency: 'TRY', iban: SAMPLE.iban },
    });
  });

  it('never stores a payout that the wallet cannot be checked for', () => {
    expect(judgePayout(form(), { ...FACTS, balance: null })).toEqual({
      kind: 'refused',
      code: 'wallet_unverified',
    });
    expect(judgePayout(form(), { ...FACTS, types: [] })).toEqual({
      kind: 'refused',
      code: 'wallet_unverified',
    });
    expect(judgePayout(form({ paymentType: '99' }), FACTS)).toEqual({
      kind: 'refused',
      code: 'payment_type_unknown',
    });
  });

  it('on a form that was stored before is that movement, whatever can be asked now', () => {
    const stored = judgePayout(form(), FACTS);
    if (stored.kind !== 'new') throw new Error('the sample is not an ordinary payout');
    const earlier = {
      id: SAMPLE.id,
      contentHash: contentHash('payout', stored.content),
      currency: 'TRY',
      name: SAMPLE.name,
      foundName: null,
    };
    const same = { kind: 'earlier', id: SAMPLE.id };
    expect(judgePayout(form(), { ...FACTS, earlier })).toEqual(same);
    expect(judgePayout(form(), { ...FACTS, earlier, balance: null, types: [] })).toEqual(same);
    expect(judgePayout(form({ amountMinor: minor(1n) }), { ...FACTS, earlier })).toMatchObject({
      kind: 'refused',
      code: 'same_id_other_content',
    });
  });
});
