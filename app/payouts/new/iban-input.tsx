'use client';

import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { TextInput } from '#components/ui/field.tsx';
import { groupWithCaret } from '#lib/values/iban.ts';

type Props = {
  id: string;
  value: string;
  invalid: boolean;
  describedBy: string | undefined;
  onType: (text: string) => void;
  onLeave: () => void;
};

/** Groups of four while typing and after a paste; the caret stays at its character. */
export function IbanInput({ id, value, invalid, describedBy, onType, onLeave }: Props): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null || document.activeElement !== input.current) return;
    input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);
  return (
    <TextInput
      ref={input}
      id={id}
      name="iban"
      mono
      value={value}
      inputMode="text"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      required
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      onBlur={onLeave}
      onChange={(event) => {
        const grouped = groupWithCaret(
          event.target.value,
          event.target.selectionStart ?? event.target.value.length,
        );
        caret.current = grouped.caret;
        onType(grouped.text);
      }}
    />
  );
}
