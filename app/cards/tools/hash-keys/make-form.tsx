'use client';

import { useTranslations } from 'next-intl';
import { useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { HashSubject } from '#lib/cards/tools/hash-parts.ts';
import { makeHash } from './actions.ts';
import type { HashMade } from './actions.ts';
import { PartFields } from './part-fields.tsx';
import { typedIn } from '../typed-in.ts';
import type { Typed } from '../typed-in.ts';

/** Makes a hash key with the merchant's own secret, on the server. */
export function MakeForm({ subject }: { subject: HashSubject }): ReactNode {
  const t = useTranslations('cardTools.hashKeys');
  const id = useId();
  const [result, submit, pending] = useActionState(
    async (_before: Typed<HashMade>, form: FormData): Promise<Typed<HashMade>> => {
      const answer = await orUnanswered(makeHash(null, form), 'nothing');
      return {
        answer: answer !== null && 'ok' in answer ? { problem: answer } : answer,
        typed: typedIn(form),
      };
    },
    { answer: null, typed: {} },
  );
  const { answer } = result;
  return (
    <form action={submit} className="grid gap-3 px-4 py-3">
      <input type="hidden" name="subject" value={subject} />
      <PartFields id={id} subject={subject} own={t('own')} required typed={result.typed} />
      <div>
        <SubmitButton look="primary" pending={pending}>
          {t('make')}
        </SubmitButton>
      </div>
      <div role="status" className="grid gap-1 empty:hidden">
        {!pending && answer && 'problem' in answer && (
          <p className="font-medium text-failed">{answer.problem.text}</p>
        )}
        {!pending && answer && 'hashKey' in answer && (
          <>
            <p className="text-label font-medium text-muted">hash_key</p>
            <p className="flex items-center gap-1">
              <span className="min-w-0 rounded-control bg-raised px-2 py-1 font-mono text-mono break-all">
                {answer.hashKey}
              </span>
              <CopyButton text={answer.hashKey} label={t('copy')} done={t('copied')} />
            </p>
            <p className="text-label text-muted">{t('fresh')}</p>
          </>
        )}
      </div>
    </form>
  );
}
