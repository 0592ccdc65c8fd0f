'use client';

import { useTranslations } from 'next-intl';
import { useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { PressButton } from '#components/ui/press-button.tsx';
import { sendSavedCard, sendTypedCard } from './actions.ts';
import type { Charged } from './actions.ts';
import { CardFields } from './card-fields.tsx';

type Result = Charged | { kind: 'lost' };

/**
 * The card form whose payment this server sends to the gateway, once. The field names differ from
 * the gateway's, so that neither form can be mistaken for the other.
 */
export function HereForm({
  id,
  label,
  typed,
  withCode,
  firstYear,
}: {
  id: string;
  label: string;
  typed: boolean;
  withCode: boolean;
  firstYear: number;
}): ReactNode {
  const t = useTranslations('charges.take');
  const [sending, setSending] = useState(false);
  const [result, setResult] = useState<Result | null>(null);
  const words = useResultWords(result);
  const busy = useRef(false);
  const send = async (form: FormData): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    const next = await (typed ? sendTypedCard(form) : sendSavedCard(id)).catch(() => ({
      kind: 'lost' as const,
    }));
    if (next.kind === 'ended') return location.assign(next.href);
    setResult(next);
    setSending(false);
    busy.current = next.kind === 'lost';
  };
  return (
    <form
      className="grid gap-4"
      autoComplete="on"
      onSubmit={(event) => {
        event.preventDefault();
        void send(new FormData(event.currentTarget));
      }}
    >
      <input type="hidden" name="id" value={id} />
      {typed && (
        <CardFields
          names={{
            holder: 'holder',
            number: 'number',
            month: 'month',
            year: 'year',
            code: withCode ? 'code' : null,
          }}
          firstYear={firstYear}
        />
      )}
      <SendLine
        label={label}
        closed={sending || result?.kind === 'lost'}
        failed={!sending}
        words={sending ? t('sending') : words}
      />
    </form>
  );
}

/** The button, and beside it the progress of the payment or the message about its result. */
function SendLine({
  label,
  closed,
  failed,
  words,
}: {
  label: string;
  closed: boolean;
  failed: boolean;
  words: string;
}): ReactNode {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <PressButton type="submit" look="primary" aria-disabled={closed} aria-describedby={id}>
        {label}
      </PressButton>
      <span
        id={id}
        role="status"
        className={`text-label font-medium ${failed ? 'text-failed' : 'text-muted'}`}
      >
        {words}
      </span>
    </div>
  );
}

/** What went wrong, in words; empty while nothing did. */
function useResultWords(result: Result | null): string {
  const t = useTranslations('charges.take');
  const refusals = useTranslations('refusals');
  switch (result?.kind) {
    case 'invalid':
      return t(`invalid.${result.field}`);
    case 'signed_out':
      return refusals('signed_out');
    case 'refused':
      return refusals(result.code, result.params);
    case 'failed':
    case 'lost':
      return t('lost');
    default:
      return '';
  }
}
