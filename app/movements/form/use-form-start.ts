'use client';

import { useEffect, useLayoutEffect } from 'react';
import type { RefObject } from 'react';

const FIRST_FIELD = 'input:checked, input:enabled:not([type="hidden"]), select, textarea';

/**
 * The start of a money form. What a person typed, or the browser restored, before the page's scripts
 * listened stands in the fields, and the form's state does not know it yet: `take` gets it. Then the
 * first field has the focus, unless a person is elsewhere already. `typed`: by a control's name or
 * id.
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what stands there at the start
  }, []);
  useEffect(() => {
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus({ preventScroll: true });
  }, [form]);
}
