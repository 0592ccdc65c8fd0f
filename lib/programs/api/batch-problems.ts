import { overrideOf, tickKey } from '#lib/batches/draft/check-rows.ts';
import type { CheckedRow, RowFinding } from '#lib/batches/draft/check-rows.ts';
import type { Ticks } from '#lib/batches/draft/stored.ts';
import type { DraftProblem } from '#lib/batches/draft/summary.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import { placeOf } from './batch-source.ts';
import { apiField } from './form.ts';
import type { ProblemAnswer } from './schema.ts';

/** What keeps a program's batch from being stored, row by row. Pure. */

type Problems = Pick<ProblemAnswer, 'errors' | 'findings'>;
type Draft = {
  rows: readonly CheckedRow[];
  walletFindings: readonly Finding[];
  problems: readonly DraftProblem[];
};

/** The ticks of the warnings whose codes a row names, with the row's own reason. */
export function ticksOf(rows: readonly CheckedRow[], forms: readonly PayoutForm[]): Ticks {
  const ticks: Record<string, { keys: string[]; reason: string }> = {};
  for (const row of rows) {
    const form = forms[placeOf(row.number) - 1];
    if (form === undefined || form.overrideReason === null) continue;
    const keys = row.findings
      .filter((one) => one.level === 'warn' && form.overrides.includes(overrideOf(one)))
      .map(tickKey);
    if (keys.length > 0) ticks[row.key] = { keys, reason: form.overrideReason };
  }
  return ticks;
}

/** Null when every row would be paid exactly as it was written. */
export function problemsOf(draft: Draft, forms: readonly PayoutForm[]): Problems | null {
  const errors = [
    ...forms.flatMap((form, at) => {
      const row = draft.rows.find(({ number }) => placeOf(number) === at + 1);
      return row === undefined || row.isOut || !isSame(row, form)
        ? [{ row: at + 1, field: '', code: 'row_not_understood' }]
        : [];
    }),
    ...draft.problems
      .filter(({ code }) => code !== 'columns_missing')
      .map(({ code }) => ({ field: 'rows', code })),
  ];
  const findings = [
    ...draft.walletFindings.filter(({ level }) => level === 'block').map((one) => shown(one)),
    ...draft.rows.flatMap((row) =>
      row.findings
        .filter(
          (one) =>
            one.level === 'block' || (one.level === 'warn' && row.unticked.includes(tickKey(one))),
        )
        .map((one) => ({ row: placeOf(row.number), ...shown(one) })),
    ),
  ];
  return errors.length + findings.length === 0 ? null : { errors, findings };
}

/** Under the code that `overrides` takes; a row that it names is a place in the request. */
function shown(one: RowFinding): Omit<NonNullable<Problems['findings']>[number], 'row'> {
  const { level, field } = one;
  const params = 'stands' in one ? { ...one.params, row: placeOf(one.params.row) } : one.params;
  return {
    code: overrideOf(one),
    level: level === 'block' ? 'block' : 'warn',
    field: apiField(field),
    params,
  };
}

/** Whether the row was read as it was written: a row that is not is refused, never paid. */
function isSame({ content, writtenCurrency }: CheckedRow, form: PayoutForm): boolean {
  return (
    content.iban === form.content.iban &&
    content.amountMinor === form.content.amountMinor &&
    content.name === form.content.name &&
    content.taxNumber === form.content.taxNumber &&
    content.paymentType === form.content.paymentType &&
    content.description === form.content.description &&
    (writtenCurrency === null || writtenCurrency === form.writtenCurrency)
  );
}
