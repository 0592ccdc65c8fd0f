import { expect, it } from 'vitest';
import { readDayCloseQuery } from './filter.ts';

const TODAY = '2026-11-28';

it.each(['0000-01-01', '0001-01-01', '9999-12-31', '2200-01-01', 'x'])(
  'the day %s of an address is ignored, and this month is shown',
  (day) => {
    expect(readDayCloseQuery({ day, month: day.slice(0, 7) }, TODAY)).toEqual({
      wallet: null,
      month: '2026-11-01',
      day: null,
      close: false,
    });
  },
);
