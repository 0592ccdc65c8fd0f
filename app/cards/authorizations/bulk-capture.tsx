'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { capturePayment } from '#app/cards/operations/actions.ts';
import { PICK_FORM } from '#components/pick-form.ts';
import { usePickedRows } from '#components/picked-rows.tsx';
import { Button } from '#components/ui/button.tsx';
import { PICK_BAR } from '#components/ui/classes.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, parseDecimal, toDecimal } from '#lib/values/money.ts';
import { useResultWords } from './result-words.ts';
import type { Result } from './result-words.ts';

/** Maximum of authorizations in one bulk capture: nobody reviews a longer list before the press. */
const ROWS_MAX = 50;

/** `id` is the capture's intent: pressing again after a lost response starts no second capture. */
type Item = {
  id: string;
  paymentId: string;
  invoiceId: string;
  amount: string;
  currency: string;
  result: Result;
};

/**
 * Captures the full amount of each ticked authorization, one after the other; a failure of one does
 * not stop the rest. `drawn`: when the rows were read.
 */
export function BulkCapture({ drawn }: { drawn: string }): ReactNode {
  const t = useTranslations('cardDialogs.bulk');
  const close = useTranslations('cardDialogs')('close');
  const { picked, none } = usePickedRows(drawn);
  const [items, setItems] = useState<Item[]>([]);
  const [open, setOpen] = useState(false);
  const [running, setRunning] = useState(false);
  const current = picked.map(itemOf);
  const begin = (): void => {
    if (!running) setItems(current);
    setOpen(true);
  };
  const run = async (some: Item[]): Promise<void> => {
    if (running) return;
    setRunning(true);
    none();
    for (const item of some) {
      const tell = (result: Result): void =>
        setItems((all) => all.map((one) => (one.id === item.id ? { ...one, result } : one)));
      tell({ kind: 'asking' });
      const form = new FormData();
      for (const name of ['id', 'paymentId', 'amount'] as const) form.set(name, item[name]);
      tell(await capturePayment(form).catch(() => ({ kind: 'unclear' }) as const));
    }
    setRunning(false);
  };
  return (
    <>
      <TickedBar
        ticked={current}
        progress={running ? progressOf(items) : null}
        onTake={begin}
        onNone={none}
      />
      {/* Outside the form, which is hidden when nothing is ticked: the results must stay. */}
      <Dialog open={open} onClose={() => setOpen(false)} title={t('title')} closeLabel={close}>
        <Review items={items} running={running} onRun={(some) => void run(some)} />
      </Dialog>
    </>
  );
}

/** How many authorizations are ticked, or how far the captures are. */
function TickedBar({
  ticked,
  progress,
  onTake,
  onNone,
}: {
  ticked: readonly Item[];
  /** Null while nothing runs. */
  progress: { done: number; count: number } | null;
  onTake: () => void;
  onNone: () => void;
}): ReactNode {
  const t = useTranslations('cardDialogs.bulk');
  const sum = useSum();
  return (
    <form
      id={PICK_FORM}
      aria-label={t('label')}
      onSubmit={(event) => event.preventDefault()}
      className={`${PICK_BAR} ${ticked.length === 0 && progress === null ? 'hidden' : ''}`}
    >
      <span role="status" className="font-medium tabular-nums">
        {progress !== null
          ? t('progress', progress)
          : ticked.length === 0
            ? ''
            : ticked.length > ROWS_MAX
              ? t('many', { max: ROWS_MAX, count: ticked.length })
              : t('counted', { count: ticked.length, sum: sum(ticked) })}
      </span>
      <Button
        look="primary"
        aria-disabled={ticked.length > ROWS_MAX}
        onClick={() => {
          if (ticked.length <= ROWS_MAX) onTake();
        }}
      >
        {t('take')}
      </Button>
      {progress === null && (
        <Button look="ghost" onClick={onNone}>
          {t('none')}
        </Button>
      )}
    </form>
  );
}

/** The sum before the press, then the result of each capture. */
function Review({
  items,
  running,
  onRun,
}: {
  items: Item[];
  running: boolean;
  onRun: (some: Item[]) => void;
}): ReactNode {
  const t = useTranslations('cardDialogs.bulk');
  const sum = useSum();
  const isOver =
    items.length > 0 &&
    items.every((item) => item.result.kind !== 'waiting' && item.result.kind !== 'asking');
  return (
    <>
      <p role="status">
        {isOver
          ? t('finished', countsOf(items))
          : running
            ? t('progress', progressOf(items))
            : t('text', { count: items.length, sum: sum(items) })}
      </p>
      <Results items={items} begun={running || isOver} />
      <div className="flex flex-wrap justify-end gap-2">
        {!running && !isOver && (
          <Button look="primary" onClick={() => onRun(items)}>
            {t('confirm', { count: items.length, sum: sum(items) })}
          </Button>
        )}
        {isOver && items.some(isUnclear) && (
          <Button onClick={() => onRun(items.filter(isUnclear))}>{t('again')}</Button>
        )}
      </div>
    </>
  );
}

function Results({ items, begun }: { items: Item[]; begun: boolean }): ReactNode {
  const t = useTranslations('cardDialogs');
  const locale = useLocale() as Locale;
  const words = useResultWords();
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={t('bulk.caption')}
      className="max-h-80 overflow-y-auto"
    >
      <ul className="divide-y divide-hairline">
        {items.map((item) => (
          <li
            key={item.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 py-1.5"
          >
            <span className="font-medium break-all">{item.invoiceId}</span>
            <span className="text-right tabular-nums">
              {formatMoney(item.amount, item.currency, locale)}
            </span>
            {begun && (
              <span className={`col-span-full text-label ${lookOf(item.result.kind)}`}>
                {words(item.result)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function lookOf(result: Item['result']['kind']): string {
  if (result === 'started') return 'text-progress';
  return result === 'waiting' || result === 'asking' ? 'text-muted' : 'font-medium text-attention';
}

function useSum(): (items: readonly Item[]) => string {
  const locale = useLocale() as Locale;
  return (items) => {
    const sums = new Map<string, bigint>();
    for (const { amount, currency } of items)
      sums.set(currency, (sums.get(currency) ?? 0n) + parseDecimal(amount));
    return [...sums]
      .map(([currency, sum]) => formatMoney(toDecimal(sum), currency, locale))
      .join(' + ');
  };
}

/** Reads the row's data from its checkbox. */
function itemOf({ value, dataset }: HTMLInputElement): Item {
  return {
    id: crypto.randomUUID(),
    paymentId: value,
    invoiceId: dataset['invoice'] ?? '',
    amount: dataset['amount'] ?? '0',
    currency: dataset['currency'] ?? 'TRY',
    result: { kind: 'waiting' },
  };
}

function progressOf(items: readonly Item[]): { done: number; count: number } {
  return {
    done: items.filter((item) => item.result.kind !== 'waiting' && item.result.kind !== 'asking')
      .length,
    count: items.length,
  };
}

/** No answer came, or a fault, after which the capture may have begun. */
function isUnclear({ result }: Item): boolean {
  return result.kind === 'unclear' || result.kind === 'failed';
}

function countsOf(items: readonly Item[]): { started: number; stopped: number; unclear: number } {
  const [started, unclear] = [
    items.filter((item) => item.result.kind === 'started').length,
    items.filter(isUnclear).length,
  ];
  return { started, unclear, stopped: items.length - started - unclear };
}
