import { expect, test } from 'vitest';
import { judgedYear } from './testing/bulk-check.ts';
import type { Judged } from './testing/bulk-check.ts';
import { MISTAKES } from './testing/bulk-mistakes.ts';

/**
 * BULK_YEAR_SEEDS=7,8,9 tries other years, and BULK_YEAR_LIST=1 lists what is missed and what is
 * flagged without need.
 */
const SEEDS = (process.env['BULK_YEAR_SEEDS'] ?? '1,20261125,4711').split(',').map(Number);

const share = (part: readonly unknown[], of: readonly unknown[]): number =>
  of.length === 0 ? 0 : part.length / of.length;

test.each(SEEDS)(
  'of a year of files, 95 of 100 rows that are paid twice are found, and at most 2 of 100 others flagged (seed %i)',
  (seed) => {
    const year = judgedYear(seed);
    const [twice, meant] = [true, false].map((is) =>
      year.filter(({ row }) => (row.mistake !== null) === is),
    );
    const flagged = (rows: readonly Judged[]) => rows.filter(({ alarm }) => alarm !== null);
    const recall = share(flagged(twice!), twice!);
    const alarmsPer100 = share(flagged(meant!), meant!) * 100;
    const asked =
      share(
        meant!.filter(({ checked }) => checked.unticked.length > 0),
        meant!,
      ) * 100;
    const byKind = MISTAKES.map((kind) => {
      const ofKind = twice!.filter(({ row }) => row.mistake === kind);
      return `${kind} ${flagged(ofKind).length}/${ofKind.length}`;
    });
    const kinds = byKind.join(', ');
    process.stdout.write(
      `bulk year, seed ${seed}: ${meant!.length} rows that are meant, ${twice!.length} paid twice; recall ` +
        `${(recall * 100).toFixed(1)} %, ${alarmsPer100.toFixed(2)} false alarms per 100 rows, ` +
        `${asked.toFixed(2)} with any warning (${kinds})\n`,
    );
    if (process.env['BULK_YEAR_LIST'] !== undefined) list(year);
    expect(meant!.length).toBeGreaterThan(1_000);
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(alarmsPer100).toBeLessThanOrEqual(2);
  },
);

function list(year: readonly Judged[]): void {
  for (const { row, alarm, checked } of year)
    if (
      (row.mistake === null) === (alarm !== null) ||
      (row.mistake === null && checked.unticked.length > 0)
    )
      process.stdout.write(
        `${row.mistake ?? row.sort}: ${alarm ?? checked.unticked.join()} ` +
          `${row.party.name} ${row.amountMinor} ${row.description}\n`,
      );
}
