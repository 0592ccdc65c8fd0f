'use client';

import { useTranslations } from 'next-intl';
import { startTransition, useActionState, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { Button, SubmitButton } from '#components/ui/button.tsx';
import { Select, TextInput } from '#components/ui/field.tsx';
import { PressButton } from '#components/ui/press-button.tsx';
import type { OfDraft } from '#lib/batches/draft/change.ts';
import { changeCell } from '../actions.ts';
import type { CellView } from './cell-view.ts';

const SMALL =
  'inline-flex min-h-6 items-center rounded-control text-label font-medium text-accent ' +
  'underline underline-offset-2 disabled:opacity-55 pointer-coarse:min-h-11';
const EDITABLE_TEXT =
  'min-h-6 rounded-control decoration-dotted underline-offset-4 hover:underline ' +
  'pointer-coarse:min-h-11';
const TEXT_MAX = 1_000;

type Props = {
  of: OfDraft;
  row: { key: string; number: number };
  view: CellView;
  canEdit: boolean;
  /** The values to choose from, for a payment type. */
  options?: readonly { value: string; name: string }[];
  mono?: boolean;
};

/**
 * One cell: what it says, what it said before a repair, and what can be done about it. While it is
 * edited, what was typed stays in the field until it is stored, also when another tab was first.
 */
export function CellEditor(props: Props): ReactNode {
  const { view, canEdit } = props;
  const { message, pending, run } = useCellChange(props);
  const [open, setOpen] = useState(false);
  const back = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !open) back.current?.focus();
    wasOpen.current = open;
  }, [open]);
  const save = async (text: string): Promise<void> => {
    if (await run({ how: 'type', text })) setOpen(false);
  };
  return (
    <div className="grid min-w-0 gap-0.5 text-left">
      {open ? (
        <CellField {...props} pending={pending} onSave={save} onCancel={() => setOpen(false)} />
      ) : (
        <CellText {...props} button={back} onEdit={canEdit ? () => setOpen(true) : null} />
      )}
      {view.error !== null && (
        <p
          className={`text-label font-medium ${view.state === 'ask' ? 'text-attention' : 'text-failed'}`}
        >
          {view.error}
        </p>
      )}
      {canEdit && !open && <CellActions {...props} pending={pending} run={run} />}
      <p role="status" className="text-label font-medium text-failed empty:hidden">
        {message?.ok === false && !pending ? message.text : ''}
      </p>
    </div>
  );
}

/** `field`: another one than the cell's own. */
type Change = {
  how: 'type' | 'undo' | 'restore' | 'choose';
  field?: 'iban';
  text?: string;
  choice?: number;
};

function useCellChange({ of, row, view }: Props): {
  message: ActionMessage;
  pending: boolean;
  /** Whether the change was stored. */
  run: (change: Change) => Promise<boolean>;
} {
  const waiting = useRef<((stored: boolean) => void) | null>(null);
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const answer = await orUnanswered(changeCell(before, form), 'again');
      waiting.current?.(answer?.ok === true);
      return answer;
    },
    null,
  );
  const run = (change: Change): Promise<boolean> => {
    if (pending) return Promise.resolve(false);
    const form = new FormData();
    const fields = { id: of.id, version: of.version, row: row.key, field: view.field, ...change };
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    return new Promise((resolve) => {
      waiting.current = resolve;
      startTransition(() => submit(form));
    });
  };
  return { message, pending, run };
}

function CellText({
  view,
  row,
  mono = false,
  button,
  onEdit,
}: Props & {
  button: React.RefObject<HTMLButtonElement | null>;
  onEdit: (() => void) | null;
}): ReactNode {
  const t = useTranslations('batches');
  const isStruck = view.was !== null && view.was !== '' && view.was !== view.shown;
  const tone = view.state === 'error' ? 'text-failed' : '';
  // An amount that is broken within its digits is read as another one.
  const isAmount = view.field === 'amount' && (view.state === 'ok' || view.state === 'repaired');
  const wraps = isAmount ? 'whitespace-nowrap tabular-nums' : 'wrap-anywhere';
  const look = `${mono ? 'font-mono text-mono' : ''} ${tone} text-left ${wraps}`;
  const text = view.shown.trim() === '' ? t('rows.nothing') : view.shown;
  return (
    <>
      {isStruck && (
        <del className="text-label wrap-anywhere text-muted">
          <span className="sr-only">{t('cell.was', { text: '' })}</span>
          {view.was}
        </del>
      )}
      {onEdit === null ? (
        <span className={look}>{text}</span>
      ) : (
        <button
          ref={button}
          type="button"
          onClick={onEdit}
          aria-label={`${text}: ${t('cell.edit', { field: view.name, row: row.number })}`}
          className={`${look} ${EDITABLE_TEXT}`}
        >
          {text}
        </button>
      )}
      {view.notes.map((note) => (
        <p key={note} className="text-label text-muted">
          {note}
        </p>
      ))}
    </>
  );
}

function CellField({
  view,
  row,
  options,
  mono = false,
  pending,
  onSave,
  onCancel,
}: Props & {
  pending: boolean;
  onSave: (text: string) => Promise<void>;
  onCancel: () => void;
}): ReactNode {
  const t = useTranslations('batches.cell');
  const [text, setText] = useState(view.initial);
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  useEffect(() => field.current?.focus(), []);
  const label = t('field', { field: view.name, row: row.number });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc is a shortcut
    <form
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(text);
      }}
      onKeyDown={(event) => {
        // As in a dialog: Esc leaves only while nothing was typed.
        if (event.key === 'Escape' && text === view.initial) onCancel();
      }}
    >
      {options === undefined ? (
        <TextInput
          ref={field}
          aria-label={label}
          value={text}
          mono={mono}
          maxLength={TEXT_MAX}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      ) : (
        <Select
          ref={field}
          aria-label={label}
          value={text}
          onChange={(event) => setText(event.target.value)}
        >
          {options.every(({ value }) => value !== text) && <option value={text}>{text}</option>}
          {options.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <div className="flex flex-wrap gap-2">
        <SubmitButton look="primary" pending={pending}>
          {t('save')}
        </SubmitButton>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}

function CellActions({
  view,
  row,
  pending,
  run,
}: Props & { pending: boolean; run: (change: Change) => Promise<boolean> }): ReactNode {
  const t = useTranslations('batches.cell');
  const about = { field: view.name, row: row.number };
  const small = (how: 'undo' | 'restore'): ReactNode => (
    <button
      type="button"
      aria-disabled={pending}
      aria-label={t(`${how}One`, about)}
      onClick={() => void run({ how })}
      className={`${SMALL} justify-self-start`}
    >
      {t(how)}
    </button>
  );
  return (
    <>
      {view.choices.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {view.choices.map((value, choice) => (
            <PressButton
              key={value}
              aria-disabled={pending}
              aria-label={t('choose', { ...about, value })}
              onClick={() => void run({ how: 'choose', choice })}
            >
              {value}
            </PressButton>
          ))}
        </div>
      )}
      {view.offers.length > 0 && (
        <div className="grid justify-items-start gap-2">
          {view.offers.map(({ text, iban }) => (
            <PressButton
              key={iban}
              aria-disabled={pending}
              aria-label={t('choose', { ...about, value: text })}
              onClick={() => void run({ how: 'type', field: 'iban', text: iban })}
            >
              {text}
            </PressButton>
          ))}
        </div>
      )}
      {view.canUndo && small('undo')}
      {view.canRestore && small('restore')}
    </>
  );
}
