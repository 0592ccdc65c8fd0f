'use client';

import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Strokes } from './drawing.tsx';

const DIALOG =
  'max-h-[calc(100dvh-2rem)] w-[min(26rem,calc(100vw-2rem))] rounded-panel border ' +
  'border-hairline bg-surface p-0 text-ink shadow-float backdrop:bg-black/40';

const CLOSE_BUTTON =
  '-m-1.5 grid size-8 shrink-0 place-items-center rounded-control text-muted ' +
  'hover:bg-draft-ground hover:text-ink pointer-coarse:size-11';

/**
 * A native modal dialog: it traps the focus and returns it when it closes. Esc closes it only while
 * every field has the value it had when the dialog opened. With `closeLabel` it has a close button;
 * without, its content must offer a way out. `stays`: Esc does not close it, because what it shows
 * is shown once.
 */
export function Dialog({
  open,
  onClose,
  title,
  closeLabel,
  stays = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel?: string;
  stays?: boolean;
  children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const opened = useRef(new Map<TypedField, string>());
  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) {
      opened.current = new Map(fieldsOf(element).map((field) => [field, field.value]));
      element.showModal();
      // By default the browser would focus the close button.
      element.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea')?.focus();
    }
    if (!open) element?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onCancel={(event) => {
        if (stays || hasTyped(event.currentTarget, opened.current)) event.preventDefault();
      }}
      className={DIALOG}
    >
      {open && (
        <div className="grid gap-4 p-5">
          <div className="flex items-start justify-between gap-4">
            <h2 className="text-section">{title}</h2>
            {closeLabel && (
              <button
                type="button"
                aria-label={closeLabel}
                onClick={() => dialog.current?.close()}
                className={CLOSE_BUTTON}
              >
                <Strokes aria-hidden className="size-4" d="M18 6 6 18M6 6l12 12" />
              </button>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}

type TypedField = HTMLInputElement | HTMLTextAreaElement;

/** A date field is the calendar of a text field, which has what was picked. */
const NOT_TYPED: readonly string[] = ['hidden', 'checkbox', 'radio', 'date'];

function fieldsOf(dialog: HTMLDialogElement): TypedField[] {
  return [...dialog.querySelectorAll<TypedField>('input, textarea')].filter(
    ({ type }) => !NOT_TYPED.includes(type),
  );
}

function hasTyped(dialog: HTMLDialogElement, opened: ReadonlyMap<TypedField, string>): boolean {
  return fieldsOf(dialog).some((field) => field.value !== (opened.get(field) ?? ''));
}
