'use client';

import { useSearchParams } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { counted } from '#components/counted.ts';
import type { Counted } from '#components/counted.ts';
import { PICK_FORM } from '#components/pick-form.ts';
import { usePickedRows } from '#components/picked-rows.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { PICK_BAR } from '#components/ui/classes.ts';
import { checkPickedPayouts } from './actions.ts';

/** What a person may do with ticked payouts; the verbs behind it decide again. */
export type PickRights = { export: boolean; receipts: boolean; ask: boolean };

export type PickWords = Readonly<
  Record<
    'label' | 'export' | 'receipts' | 'check' | 'none' | 'close' | 'asking' | 'unreachable',
    string
  > & { counted: Counted }
>;

/**
 * The ticked payouts and what can be done with them. `drawn`: changes when other rows are shown.
 */
export function PickBar({
  may,
  drawn,
  words,
}: {
  may: PickRights;
  drawn: string;
  words: PickWords;
}): ReactNode {
  const { picked, none } = usePickedRows(drawn);
  const { answer, pending, check, forget } = useCheck(words.unreachable);
  const ids = picked.map(({ value }) => value);
  const sort = useSearchParams().get('sort');
  const pick = ids.join('.');
  return (
    <form
      id={PICK_FORM}
      aria-label={words.label}
      onSubmit={(event) => event.preventDefault()}
      className={`${PICK_BAR} mt-3 ${ids.length === 0 && answer === null ? 'hidden' : ''}`}
    >
      <span role="status" className="font-medium tabular-nums">
        {ids.length === 0 ? '' : counted(words.counted, ids.length)}
      </span>
      {ids.length > 0 && may.export && (
        <LinkButton
          href={`/payouts/export?pick=${pick}${sort === null ? '' : `&sort=${encodeURIComponent(sort)}`}`}
          prefetch={false}
        >
          {words.export}
        </LinkButton>
      )}
      {ids.length > 0 && may.receipts && (
        <LinkButton href={`/receipts/archives/new?payout=${pick}`} prefetch={false}>
          {words.receipts}
        </LinkButton>
      )}
      {ids.length > 0 && may.ask && (
        <Button aria-disabled={pending} onClick={() => check(ids)}>
          {words.check}
        </Button>
      )}
      <Button
        look="ghost"
        onClick={() => {
          none();
          forget();
        }}
      >
        {words[ids.length === 0 ? 'close' : 'none']}
      </Button>
      <span
        role="status"
        className={`text-label font-medium ${answer?.ok === false ? 'text-failed' : 'text-muted'}`}
      >
        {pending ? words.asking : answer?.text}
      </span>
    </form>
  );
}

/** Runs "check again"; its answer stays until the next press or until it is dismissed. */
function useCheck(unreachable: string): {
  answer: ActionMessage;
  pending: boolean;
  check: (ids: readonly string[]) => void;
  forget: () => void;
} {
  const [answer, setAnswer] = useState<ActionMessage>(null);
  const [pending, start] = useTransition();
  const check = (ids: readonly string[]): void => {
    if (pending) return;
    const form = new FormData();
    for (const id of ids) form.append('pick', id);
    start(async () => {
      setAnswer(
        await checkPickedPayouts(form).catch((): ActionMessage => ({
          ok: false,
          text: unreachable,
        })),
      );
    });
  };
  return { answer, pending, check, forget: () => setAnswer(null) };
}
