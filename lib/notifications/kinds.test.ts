import { describe, expect, it } from 'vitest';
import { createTranslator } from 'use-intl/core';
import en from '../../messages/en/notifications.json' with { type: 'json' };
import tr from '../../messages/tr/notifications.json' with { type: 'json' };
import { KIND_NAMES, kindOf } from '#lib/movements/kinds.ts';
import { SUBJECT_KINDS } from '#lib/second-person/requests.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { kindsFor, NOTIFICATION_KINDS, notificationAddress, rolesOf } from './kinds.ts';
import type { Detail, NotificationKind } from './kinds.ts';
import { wordValues } from './words.ts';

const WORDS = { tr, en };
const BATCH: Detail = {
  file: 'maaslar.xlsx',
  count: 3,
  amount: '123441',
  currency: 'TRY',
  by: 'Mehmet Er',
};
const OTHERS: Partial<Record<NotificationKind, Detail[]>> = {
  authorization_lapses: [{ invoice: 'K-1', amount: null, currency: 'TRY', hours: 4 }],
  deputy_named: [{ name: 'Işıl Öğütçü', of: 'Ayşe Er', day: '2026-03-05', last: '2026-03-09' }],
  deputy_ended: [{ name: 'Işıl Öğütçü', of: 'Ayşe Er', day: '2026-03-05', last: '2026-03-09' }],
  second_person_asked: [...SUBJECT_KINDS, 'limits', 'keys'].map((subject) => ({
    by: 'Ayşe Er',
    subject,
  })),
  batch_held: ['balance_short', 'fail_alike', 'maker_gone', 'restored'].map((why) => ({
    file: 'maaslar.xlsx',
    why,
  })),
  batch_asked: [BATCH],
  batch_sent_back: [BATCH],
  batch_expired: [BATCH],
  difference_found: [{ day: '2026-03-05', count: 3 }],
  totals_differ: [{ count: 3 }],
  new_device: [
    { agent: null, ip: null },
    { agent: 'Firefox/1 Windows', ip: '203.0.113.7' },
  ],
};
const MOVEMENTS: Detail[] = KIND_NAMES.map((movement) => ({
  movement,
  cardPaymentId: kindOf(movement).list === 'card_operations' ? 'p' : null,
  amount: '123441',
  currency: 'TRY',
  name: 'Işıl Öğütçü',
  by: 'Ayşe Er',
}));

describe('the table of notification kinds', () => {
  it.each(LOCALES)('has words in %s for every fact of every kind, and no gap in them', (locale) => {
    const t = createTranslator({ locale, messages: WORDS[locale] });
    for (const kind of NOTIFICATION_KINDS)
      for (const detail of OTHERS[kind] ?? MOVEMENTS) {
        const values = wordValues(detail, locale);
        const texts = (['name', 'title', 'text'] as const).map((part) =>
          t(`kinds.${kind}.${part}`, values),
        );
        for (const text of texts) expect(text, kind).not.toMatch(/\bnone\b|\{|undefined|^$/);
        expect(texts[1]!.includes('₺1'), `${kind}: the amount`).toBe(detail.amount === '123441');
      }
  });

  it.each(LOCALES)(
    'says in %s of nothing that it was not paid while that is not certain',
    (locale) => {
      const t = createTranslator({ locale, messages: WORDS[locale] });
      const kinds = ['movement_rejected', 'movement_failed', 'movement_sent_back'] as const;
      for (const kind of [
        ...kinds,
        'approval_expired',
        'batch_sent_back',
        'batch_expired',
      ] as const)
        for (const detail of OTHERS[kind] ?? MOVEMENTS) {
          const values = wordValues({ ...detail, unproven: 'yes' }, locale);
          expect(t(`kinds.${kind}.text`, values), kind).not.toMatch(
            /çıkmadı\.|yapılmadı\.|gönderilmedi\.|[Nn]othing|[Nn]o payment/,
          );
        }
    },
  );

  it('leads to the page of each thing', () => {
    const to = (kind: NotificationKind, thing: string, detail: Detail = {}) =>
      notificationAddress(kind, { thing, detail });
    expect(to('movement_rejected', 'movement:1', { movement: 'payout' })).toBe('/payouts/1');
    expect(to('movement_unknown', 'movement:1', { movement: 'transfer_own' })).toBe('/transfers/1');
    expect(
      to('movement_failed', 'movement:1', { movement: 'card_refund', cardPaymentId: '9' }),
    ).toBe('/cards/payments/9');
    expect(to('authorization_lapses', 'card:9:24')).toBe('/cards/payments/9');
    expect(to('difference_found', 'reconciliation:2026-03-05:2026-03-06')).toBe(
      '/reports/reconciliation/2026-03-05',
    );
    expect(to('approval_asked', 'movement:1', { movement: 'payout' })).toBe('/approvals/1');
    expect(to('batch_held', 'batch:1:1700000000')).toBe('/batches/1');
    expect(to('new_device', 'device:1')).toBe('/settings');
    expect(to('nobody_can_approve', 'movement:1')).toBe('/approvals/1');
    expect(to('second_person_asked', 'request:1:2')).toBe('/waiting');
    expect(to('deputy_named', 'deputy:1')).toBe('/settings');
    expect(to('deputy_ended', 'deputy:1')).toBe('/settings');
    expect(to('approval_asked', 'movement:1:2', { movement: 'payout' })).toBe('/approvals/1');
  });

  it('notifies of differences and authorizations only who may act on them, and of own things everybody', () => {
    expect(rolesOf('difference_found')).toEqual(['approver', 'owner']);
    expect(rolesOf('approval_asked')).toEqual(['approver', 'owner']);
    expect(rolesOf('nobody_can_approve')).toEqual(['owner']);
    expect(rolesOf('second_person_asked')).toEqual(['clerk', 'approver', 'owner']);
    expect(rolesOf('authorization_lapses')).toEqual(['clerk', 'approver', 'owner']);
    expect(rolesOf('deputy_named')).toEqual(['clerk', 'approver', 'owner']);
    expect(rolesOf('new_device')).toHaveLength(5);
    expect(kindsFor('auditor')).toEqual([
      'movement_rejected',
      'movement_failed',
      'movement_returned',
      'movement_unknown',
      'movement_sent_back',
      'approval_expired',
      'movement_released',
      'new_device',
    ]);
  });
});
