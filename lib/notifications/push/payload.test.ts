import { expect, it } from 'vitest';
import { LOCALES } from '#lib/values/locale.ts';
import { NOTIFICATION_KINDS } from '../kinds.ts';
import { pushPayload } from './payload.ts';

const TOLD = {
  id: '7f0e3a52-0000-4000-8000-00000000aaaa',
  kind: 'approval_asked',
  thing: 'movement:7f0e3a52-0000-4000-8000-00000000bbbb',
  detail: { movement: 'payout', amount: '4412010', currency: 'TRY', name: 'Elif Şahin' },
} as const;

it.each(LOCALES)('in %s it says what happened and leads there, without a payee', (locale) => {
  const text = pushPayload(TOLD, locale);
  const told = JSON.parse(text) as Record<string, string>;
  expect(told).toMatchObject({
    path: '/approvals/7f0e3a52-0000-4000-8000-00000000bbbb',
    tag: TOLD.id,
    lang: locale,
  });
  expect(told['title']).toMatch(/44[.,]120[.,]10/);
  expect(text).not.toMatch(/Elif|Şahin|TR\d{2}/);
});

it.each(NOTIFICATION_KINDS)('of %s it names no file, which people call by a payee', (kind) => {
  const detail = {
    file: 'Elif Sahin maas.xlsx',
    why: 'balance_short',
    amount: '1',
    currency: 'TRY',
  };
  for (const locale of LOCALES)
    expect(pushPayload({ ...TOLD, kind, detail }, locale)).not.toContain('Elif');
});

it('speaks Turkish to a device whose language is unknown here', () => {
  expect(pushPayload(TOLD, 'xx')).toBe(pushPayload(TOLD, 'tr'));
});
