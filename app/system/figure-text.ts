import type { Unit } from '#lib/system/figures.ts';
import type { Locale } from '#lib/values/locale.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const GIGABYTE = 1e9;
/** From this many of a smaller unit on, the larger one is written. */
const MANY = 2;

/** A figure as people read it: '12', '3 min', '48 GB'. `never`: for an endless time. */
export function figureText(value: number, unit: Unit, locale: Locale, never: string): string {
  if (value === Number.POSITIVE_INFINITY) return never;
  const written = (number: number, of?: string): string =>
    new Intl.NumberFormat(locale, {
      maximumFractionDigits: of === 'gigabyte' && number < 10 ? 1 : 0,
      ...(of === undefined ? {} : { style: 'unit', unit: of, unitDisplay: 'short' }),
    }).format(number);
  switch (unit) {
    case 'count':
      return written(value);
    case 'bytes':
      return written(value / GIGABYTE, 'gigabyte');
    case 'seconds':
      if (value < MANY * MINUTE) return written(value, 'second');
      return value < MANY * HOUR
        ? written(value / MINUTE, 'minute')
        : written(value / HOUR, 'hour');
  }
}
