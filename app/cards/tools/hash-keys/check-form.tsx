'use client';

import { Equal, EqualNot } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { HashCheck } from '#lib/cards/tools/hash-key.ts';
import type { HashSubject } from '#lib/cards/tools/hash-parts.ts';
import { checkHash } from './actions.ts';
import type { HashChecked } from './actions.ts';
import { PartFields } from './part-fields.tsx';
import { typedIn } from '../typed-in.ts';
import type { Typed } from '../typed-in.ts';

/** Decrypts a pasted hash key on the server and compares it with the expected values. */
export function CheckForm({ subject }: { subject: HashSubject }): ReactNode {
  const t = useTranslations('cardTools.hashKeys');
  const id = useId();
  const [result, submit, pending] = useActionState(
    async (_before: Typed<HashChecked>, form: FormData): Promise<Typed<HashChecked>> => {
      const answer = await orUnanswered(checkHash(null, form), 'nothing');
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
      <Field id={`${id}-key`} label={t('pasted')}>
        <Textarea
          id={`${id}-key`}
          name="hashKey"
          rows={3}
          required
          maxLength={2048}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-mono break-all"
          defaultValue={result.typed['hashKey'] ?? ''}
        />
      </Field>
      <p className="text-label text-muted">{t('expected')}</p>
      <PartFields id={id} subject={subject} own={t('own')} typed={result.typed} />
      <div>
        <SubmitButton look="primary" pending={pending}>
          {t('check')}
        </SubmitButton>
      </div>
      <div role="status" className="grid gap-2 empty:hidden">
        {!pending && answer && 'problem' in answer && (
          <p className="font-medium text-failed">{answer.problem.text}</p>
        )}
        {!pending && answer && 'check' in answer && <Verdict check={answer.check} />}
      </div>
    </form>
  );
}

/** The subject is a text, not money, so nothing here is red or green. */
function Verdict({ check }: { check: HashCheck }): ReactNode {
  const t = useTranslations('cardTools.hashKeys');
  if (check.kind === 'unreadable')
    return <p className="font-medium text-failed">{t('unreadable')}</p>;
  const differs = check.parts.some((part) => part.agrees === false);
  return (
    <>
      <p className="font-medium">
        {differs ? t('differs') : check.agrees ? t('agrees') : t('partly')}
      </p>
      <Table
        caption={t('said')}
        head={
          <>
            <Head>{t('part')}</Head>
            <Head>{t('said')}</Head>
            <Head>{t('verdict')}</Head>
          </>
        }
      >
        {check.parts.map((part) => (
          <Row key={part.name}>
            <Cell first>
              <span className="font-mono text-mono">{part.name}</span>
            </Cell>
            <Cell label={t('said')}>
              <span className="font-mono text-mono break-all">{part.text}</span>
            </Cell>
            <Cell label={t('verdict')}>
              {part.agrees === null ? (
                <span className="text-muted">{t('notCompared')}</span>
              ) : part.agrees ? (
                <Pill tone="draft" icon={Equal}>
                  {t('same')}
                </Pill>
              ) : (
                <Pill tone="attention" icon={EqualNot}>
                  {t('other')}
                </Pill>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
      <p className="text-label text-muted">{t('noProof')}</p>
    </>
  );
}
