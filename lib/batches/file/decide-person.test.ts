import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { marksOf, valueOf } from './cell.ts';
import { decidePerson, personConvention, typedPerson } from './decide-person.ts';
import { guessMapping } from './mapping.ts';
import { openPaste } from './open.ts';
import { readPayouts } from './read.ts';
import { findTable } from './table.ts';

const cell = (text: string) => ({ kind: 'text', text }) as const;
const PHONE = 'phone:90:5330000201';

describe('a cell that names a person', () => {
  test.each([
    ['+90 533 000 02 01', PHONE],
    ['00905330000201', PHONE],
    ['0533 000 02 01', PHONE],
    ['05330000201', PHONE],
    ['(533) 000 02 01', PHONE],
    ['533 000 02 01', PHONE],
    ['Tel: 5330000201', PHONE],
    ['hesap no 5510000001', 'account:5510000001'],
    ['account 5510 0000 01', 'account:5510000001'],
    ['441027', 'account:441027'],
  ])('"%s" has one reading, and no repair', (text, key) => {
    const decided = decidePerson(cell(text), null);
    expect([valueOf(decided), marksOf(decided)]).toEqual([key, []]);
    expect(valueOf(typedPerson(text))).toBe(key);
  });

  it('with ten digits alone is asked, because they can be a phone number and an account', () => {
    expect(decidePerson(cell('5510000001'), null)).toMatchObject({
      state: 'ask',
      why: 'person_ambiguous',
      choices: ['phone:90:5510000001', 'account:5510000001'],
    });
    expect(typedPerson('5510000001')).toMatchObject({ state: 'error', code: 'person_unclear' });
  });

  it('with ten digits alone follows what its column proves, with a mark', () => {
    const column = [cell('0533 000 02 01'), cell('5330000202'), cell('')];
    expect(personConvention(column)).toBe('phone');
    const decided = decidePerson(cell('5330000202'), 'phone');
    expect(valueOf(decided)).toBe('phone:90:5330000202');
    expect(marksOf(decided).map(({ reason }) => reason)).toEqual(['column_convention']);
    expect(personConvention([cell('0533 000 02 01'), cell('441027')])).toBeNull();
    expect(personConvention([cell('5330000202')])).toBeNull();
  });

  test.each(['5,33E+09', '5.33E+9'])('shortened to "%s" has lost its digits', (text) => {
    expect(decidePerson(cell(text), 'phone')).toMatchObject({ code: 'phone_digits_lost' });
  });

  test.each(['+49 170 1234567', '0212', 'elif@example.com', 'TR33 0006'])(
    '"%s" is nobody who can be looked up',
    (text) => {
      expect(decidePerson(cell(text), null)).toMatchObject({ code: 'person_unclear' });
    },
  );
});

describe('whatever a cell has', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0123456789 +()-.,', 'hesap ', 'tel '), maxLength: 24 }),
  );
  const digits = (some: string): string => some.replace(/\D/g, '');

  it('finds nobody by other digits than it has', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(null, 'phone' as const, 'account' as const), (some, by) => {
        const key = valueOf(decidePerson(cell(some), by));
        if (key === null) return true;
        const number = key.split(':').at(-1)!;
        const [all, last] = [digits(some), digits(some).slice(-number.length)];
        // In front of a phone number stand a zero or the country, and before an account nothing.
        return key.startsWith('phone')
          ? last === number && ['', '0', '90', '0090'].includes(all.slice(0, -number.length))
          : all === number;
      }),
      { numRuns: 20_000 },
    );
  });

  it('is read as a phone number and as an account by nobody at once', () => {
    fc.assert(
      fc.property(text, (some) => {
        const [phone, account] = (['phone', 'account'] as const).map((by) =>
          decidePerson(cell(some), by),
        );
        // Where both are possible, what the column proves is marked.
        return valueOf(phone!) === valueOf(account!) || marksOf(phone!).length > 0;
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the column of persons', () => {
  const pasted = (lines: string[][]) => openPaste(lines.map((line) => line.join('\t')).join('\n'));

  test.each(['Cüzdan / Telefon', 'CÜZDAN NO', 'Wallet / Phone', 'wallet'])(
    'is found by its heading "%s"',
    (heading) => {
      const file = pasted([
        ['Ad Soyad', heading, 'Tutar'],
        ['Elif Şahin', '0533 000 02 01', '120,50'],
      ]);
      const { mapping, decided } = readPayouts(file);
      expect(mapping.person?.column).toBe(1);
      expect(mapping.phone).toBeUndefined();
      expect(valueOf(decided.rows[0]!.cells.person)).toBe(PHONE);
    },
  );

  it('is none that says only telephone: beside an IBAN that is a note', () => {
    const table = findTable(
      pasted([
        ['Ad Soyad', 'IBAN', 'Cep Telefonu', 'Tutar'],
        ['Elif Şahin', 'TR330006100519786457841326', '0533 000 02 01', '120,50'],
      ]),
    );
    expect(guessMapping(table)).toMatchObject({ phone: { column: 2 } });
    expect(guessMapping(table).person).toBeUndefined();
  });
});
