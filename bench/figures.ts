/**
 * The figures of a benchmark. A figure with a baseline is a ratio: the product's value divided by
 * what this machine could do in the same minute. Pure.
 */

export type Budget = { atLeast: number } | { atMost: number };

export type Figure = {
  what: string;
  ours: string;
  /** The value of the baseline, with its unit; absent when the budget is absolute. */
  floor?: string;
  /**
   * The budget limits `ours / floor`, or the value itself where there is no floor. Without a budget
   * the figure is shown and not judged.
   */
  value?: number;
  budget?: Budget;
  note?: string;
};

export type Verdict = 'ok' | 'short' | '';

/** Judges a figure by its budget. A value that could not be measured never passes. */
export function verdict({ value, budget }: Figure): Verdict {
  if (budget === undefined) return '';
  if (value === undefined || Number.isNaN(value)) return 'short';
  return ('atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost) ? 'ok' : 'short';
}

/** Makes a figure whose budget limits the ratio of the product's value to the floor's. */
export function against(
  what: string,
  ours: number,
  floor: number,
  unit: string,
  budget?: Budget,
  note?: string,
): Figure {
  return {
    what,
    ours: withUnit(ours, unit),
    floor: withUnit(floor, unit),
    value: ours / floor,
    ...(budget ? { budget } : {}),
    ...(note ? { note } : {}),
  };
}

/** Makes a figure without a baseline: its budget limits the value itself. */
export function absolute(
  what: string,
  value: number,
  unit: string,
  budget?: Budget,
  note?: string,
): Figure {
  return {
    what,
    ours: withUnit(value, unit),
    value,
    ...(budget ? { budget } : {}),
    ...(note ? { note } : {}),
  };
}

export function withUnit(value: number, unit: string): string {
  return `${rounded(value)} ${unit}`.trim();
}

export function rounded(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Number(value.toFixed(digits)).toString();
}

/** Formats the figures of a run as one Markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.what,
    figure.ours,
    figure.floor ?? '',
    figure.floor === undefined || figure.value === undefined ? '' : rounded(figure.value),
    figure.budget === undefined
      ? ''
      : 'atLeast' in figure.budget
        ? `≥ ${figure.budget.atLeast}`
        : `≤ ${figure.budget.atMost}`,
    verdict(figure),
    figure.note ?? '',
  ]);
  const all = [['What', 'ours', 'floor', 'ratio', 'budget', '', 'note'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`.trimEnd();
  return [
    line(all[0]!),
    line(widths.map((width) => '-'.repeat(width))),
    ...all.slice(1).map(line),
  ].join('\n');
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value that `part` (0 to 1) of all values do not exceed; NaN for an empty list. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ??
    Number.NaN
  );
}
