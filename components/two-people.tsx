'use client';

import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import { use, useId, useState } from 'react';
import type { ChangeEvent, ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { KeptSelect } from '#components/kept-select.tsx';
import { FieldProblems, ReasonForm } from '#components/reason-form.tsx';
import { MessageContext, MessageArea } from '#components/message-area.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { capabilitiesOf } from '#lib/movements/kinds.ts';
import type { KindFacts } from '#lib/movements/kinds.ts';
import type { SecondPersonView } from '#lib/second-person/view-model.ts';

export type TwoPeopleKind = KindFacts['claimWords'] | 'plan_charge';
type Claim = 'taken' | 'done' | 'not_done';

/**
 * How people may close the movement now. `claims`: the statements that they may make, empty while
 * it is too early. `from`: the earliest time.
 */
export type TwoPeopleClosing = {
  claims: readonly Claim[];
  from: string;
  needsReference: boolean;
  people: 1 | 2;
  isMaker: boolean;
};

type Props = {
  id: string;
  kind: TwoPeopleKind;
  closing: TwoPeopleClosing | null;
  statements: SecondPersonView | null;
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
};

/**
 * Lets people close a movement that no record decides: shows the statements so far and what is
 * missing, with the form to state, change or withdraw.
 */
export function TwoPeople(props: Props): ReactNode {
  const isShownAbove = use(MessageContext) !== null;
  // A statement may remove the form or the row that it was made in; its result must outlive both.
  return isShownAbove ? (
    <Standing {...props} />
  ) : (
    <MessageArea className="py-1">
      <Standing {...props} />
    </MessageArea>
  );
}

function Standing({ id, kind, closing, statements, action }: Props): ReactNode {
  const t = useTranslations('secondPerson');
  const at = useTime();
  if (closing === null && statements === null) return null;
  const open = closing !== null && closing.claims.length > 0;
  const title = t(closing?.people === 1 ? 'titleAlone' : 'title');
  return (
    <section
      aria-label={title}
      className="mt-2 grid min-w-0 gap-3 rounded-control border border-hairline bg-surface p-3 text-ink"
    >
      <h3 className="text-body font-semibold">{closing === null ? t('words') : title}</h3>
      {statements !== null && (
        <Words kind={kind} statements={statements} isTitled={closing !== null} />
      )}
      {closing !== null && !open && (
        <p className="text-label">{t('from', { at: at(closing.from) })}</p>
      )}
      {open && closing.isMaker && <p className="text-label">{t('maker')}</p>}
      {open && !closing.isMaker && <Say id={id} kind={kind} closing={closing} action={action} />}
      {closing !== null && statements?.own === true && (
        <details className="no-print">
          <summary className="min-h-6 py-1 text-label font-medium pointer-coarse:min-h-11">
            {t('takeBack')}
          </summary>
          <ReasonForm
            action={action}
            fields={{ id, claim: '' }}
            label={t('takeBackReason')}
            hint={t('reasonHint')}
            button={t('takeBackButton')}
          />
        </details>
      )}
    </section>
  );
}

function Words({
  kind,
  statements,
  isTitled,
}: {
  kind: TwoPeopleKind;
  statements: SecondPersonView;
  isTitled: boolean;
}): ReactNode {
  const t = useTranslations('secondPerson');
  const at = useTime();
  const claim = (word: string | null): string =>
    word === null ? t('wordTakenBack') : t(`claims.${kind}.${word as Claim}`);
  return (
    <div className="grid min-w-0 gap-1.5">
      {isTitled && <h4 className="text-label font-medium">{t('words')}</h4>}
      <ul className="grid gap-1.5">
        {statements.words.map((word) => (
          <li
            key={`${word.by} ${word.at}`}
            className={`min-w-0 text-label break-words ${word.counts ? '' : 'text-muted'}`}
          >
            <span className="font-medium">
              {t('said', { by: word.by, at: at(word.at), claim: claim(word.claim) })}
            </span>
            {!word.counts && word.claim !== null && <span> ({t('over')})</span>}
            <span className="block">“{word.reason}”</span>
            {word.reference !== null && (
              <span className="block">{t('written', { reference: word.reference })}</span>
            )}
          </li>
        ))}
      </ul>
      <p
        role="status"
        className={`text-label font-medium ${statements.standing === 'contradicted' ? 'text-failed' : ''}`}
      >
        {statements.closedAt === null
          ? t(`standing.${statements.standing}`)
          : t('closed', {
              at: at(statements.closedAt),
              count: statements.words.filter((word) => word.counts).length,
            })}
      </p>
    </div>
  );
}

function Say({
  id,
  kind,
  closing,
  action,
}: {
  id: string;
  kind: TwoPeopleKind;
  closing: TwoPeopleClosing;
  action: Props['action'];
}): ReactNode {
  const t = useTranslations('secondPerson');
  const field = useId();
  return (
    <>
      <p className="max-w-prose text-label">{t(`text.${textOf(kind, closing)}`)}</p>
      <ReasonForm
        action={action}
        fields={{ id }}
        label={t('reason')}
        hint={t('reasonHint')}
        button={t(closing.people === 1 ? 'alone' : 'button')}
        look={closing.people === 1 ? 'danger' : 'secondary'}
      >
        <Field id={`${field}claim`} label={t('claim')}>
          <KeptSelect
            id={`${field}claim`}
            name="claim"
            required
            defaultValue={closing.claims.length === 1 ? closing.claims[0] : ''}
          >
            <option value="" disabled>
              –
            </option>
            {closing.claims.map((claim) => (
              <option key={claim} value={claim}>
                {t(`claims.${kind}.${claim}`)}
              </option>
            ))}
          </KeptSelect>
        </Field>
        {closing.needsReference && <Reference id={`${field}reference`} />}
      </ReasonForm>
    </>
  );
}

/**
 * The field for the reference. It keeps what was typed when React resets the form after a response.
 */
function Reference({ id }: { id: string }): ReactNode {
  const t = useTranslations('secondPerson');
  const [typed, setTyped] = useState('');
  const { reference: error } = use(FieldProblems);
  return (
    <Field id={id} label={t('reference')} hint={t('referenceHint')} error={error}>
      <TextInput
        id={id}
        name="reference"
        autoComplete="off"
        maxLength={120}
        value={typed}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, { hint: true, error })}
        onChange={(event: ChangeEvent<HTMLInputElement>) => setTyped(event.target.value)}
      />
    </Field>
  );
}

function textOf(
  kind: TwoPeopleKind,
  { people, needsReference }: TwoPeopleClosing,
): 'record' | 'asBefore' | 'alone' | 'silent' {
  if (!capabilitiesOf(kind).answersQuestions) return 'silent';
  if (people === 1) return 'alone';
  return needsReference ? 'record' : 'asBefore';
}

function useTime(): (iso: string) => string {
  const locale = useLocale() as Locale;
  const zone = useTimeZone() ?? 'Europe/Istanbul';
  return (iso) => formatDateTime(iso, locale, { zone });
}
