import { describe, expect, it } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { openFile } from '../file/open.ts';
import { missingFields, SURE } from '../file/mapping.ts';
import { readPayouts } from '../file/read.ts';
import { makeTemplate, TEMPLATE_FORMATS } from './template.ts';
import { A, VKN } from './testing/drafts.ts';

const clerk = { role: 'clerk', standsInFor: null } as Person;

describe.each(LOCALES)('the template in "%s"', (locale) => {
  it.each(TEMPLATE_FORMATS)('as %s has every column, found without a question', (format) => {
    const { name, bytes } = makeTemplate(clerk, format, locale);
    const file = openFile(bytes, name);
    const [sheet] = file.sheets;
    const kinds = ['Örnek Ltd', A, VKN, '12,50', '1', 'Fatura 1', ''].map(
      (text) => ({ kind: text === '' ? 'empty' : 'text', text }) as const,
    );
    const filled = {
      ...file,
      sheets: [{ ...sheet!, rows: [...sheet!.rows, { number: 2, hidden: false, cells: kinds }] }],
    } as typeof file;
    const { mapping, decided } = readPayouts(filled);
    expect(missingFields(mapping)).toEqual([]);
    expect(Object.keys(mapping).sort()).toEqual(
      ['amount', 'description', 'iban', 'name', 'paymentType', 'person', 'taxNumber'].sort(),
    );
    for (const field of ['iban', 'name', 'taxNumber', 'amount'] as const)
      expect(mapping[field]?.confidence, field).toBeGreaterThanOrEqual(SURE);
    expect(decided.rows).toHaveLength(1);
  });
});

it('is for people who prepare payouts', () => {
  const auditor = { role: 'auditor', standsInFor: null } as Person;
  expect(() => makeTemplate(auditor, 'csv', 'tr')).toThrow();
});
