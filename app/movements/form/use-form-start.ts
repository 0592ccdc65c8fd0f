'use client';

import { useEffect, useLayoutEffect } from 'react';
import type { RefObject } from 'react';

const FIRST_FIELD = 'input:checked, input:enabled:not([type="hidden"]), select, textarea';

/**
 * Starts a money form. Text that a person typed, or the browser restored, before the page's scripts
 * ran is in the fields but not yet in the form's state: `take` gets that text. Then the first field
 * gets the focus, unless another element has it. `typed`: the values of the state, by the name or
 * id of their control.
 */
export function useFormStart(
  form: RefObject<HTMLFormElement | null>,
  typed: Readonly<Record<string, unknown>>,
  take: (found: Record<string, string>) => void,
): void {
  useLayoutEffect(() => {
    const found: Record<string, string> = {};
    for (const [field, known] of Object.entries(typed)) {
      const control = form.current?.elements.namedItem(field);
      if (typeof known !== 'string' || !control || !('value' in control)) continue;
      const text = String(control.value);
      if (text !== '' && text !== known) found[field] = text;
    }
    if (Object.keys(found).length > 0) take(found);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- reads the fields once, at the start
  }, []);
  useEffect(() => {
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus({ preventScroll: true });
  }, [form]);
}
