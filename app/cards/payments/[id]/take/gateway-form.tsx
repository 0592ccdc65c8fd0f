'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { BrowserForm } from '#lib/providers/card/types.ts';
import { CardFields } from './card-fields.tsx';

/**
 * The card form of the gateway. The browser itself posts the form as a page navigation, to the
 * gateway and not to us, so that no script reads the card. A second press does nothing.
 */
export function GatewayForm({
  form,
  label,
  firstYear,
}: {
  form: BrowserForm;
  label: string;
  firstYear: number;
}): ReactNode {
  const t = useTranslations('charges.take');
  const [sending, setSending] = useState(false);
  const sent = useRef(false);
  useEffect(() => {
    // After the bank's step the browser's back button may restore this page from the page cache:
    // only the server knows whether the form is still open.
    const look = (event: PageTransitionEvent): void => {
      if (event.persisted) location.reload();
    };
    addEventListener('pageshow', look);
    return () => removeEventListener('pageshow', look);
  }, []);
  const submit = (event: { preventDefault(): void }): void => {
    if (sent.current) event.preventDefault();
    sent.current = true;
    setSending(true);
  };
  const [holder, number, month, year, code] = form.cardFields;
  return (
    <form action={form.action} method="post" className="grid gap-4" onSubmit={submit}>
      {form.fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {holder && number && month && year && code && (
        <CardFields names={{ holder, number, month, year, code }} firstYear={firstYear} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" aria-disabled={sending}>
          {label}
        </Button>
        <span role="status" className="text-label font-medium text-muted">
          {sending ? t('sending') : ''}
        </span>
      </div>
    </form>
  );
}
