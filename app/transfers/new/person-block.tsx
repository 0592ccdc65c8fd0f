'use client';

import { CircleCheck, CircleHelp, CircleX, LoaderCircle, ScanSearch } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Block } from '#app/movements/form/block.tsx';
import { controlId } from '#app/movements/form/form-words.ts';
import { TypedField } from '#app/movements/form/typed-field.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import { nameFit } from '#lib/transfers/person.ts';
import { shownKey } from '#lib/values/person-key.ts';
import type { TransferFormState } from './use-transfer-form.ts';

const WAYS = ['phone', 'account'] as const;
/**
 * An error code whose text the look-up's result shows instead of the field: no query has run yet.
 */
const UNCHECKED = 'person_not_checked';

const CHOICE =
  'flex min-h-7 items-center gap-2 rounded-full border border-hairline bg-raised px-3 ' +
  'text-label font-medium hover:border-control has-checked:border-accent ' +
  'has-checked:text-accent pointer-coarse:min-h-11';

/**
 * The intended person, and the person whom the provider has under that number: compared before
 * anything can be sent.
 */
export function PersonBlock({ form }: { form: TransferFormState }): ReactNode {
  const t = useTranslations('newPayout');
  const { read, person } = form;
  const done =
    !read.errors.phone &&
    !read.errors.account &&
    !read.errors.name &&
    person.person?.kind === 'found';
  return (
    <Block number={2} title={t('blocks.to')} done={done}>
      <div role="radiogroup" aria-label={t('person.by')} className="flex flex-wrap gap-2">
        {WAYS.map((by) => (
          <label key={by} className={CHOICE}>
            <input
              type="radio"
              name="by"
              value={by}
              checked={form.typed.by === by}
              onChange={() => form.type('by', by)}
              className="size-4 accent-accent"
            />
            {t(`person.ways.${by}`)}
          </label>
        ))}
      </div>
      {form.typed.by === 'phone' ? (
        <PhoneField form={form} />
      ) : (
        <TypedField
          form={form}
          name="account"
          label={t('person.account')}
          hint={t('person.accountHint')}
          inputMode="numeric"
          describedElsewhere={UNCHECKED}
        />
      )}
      <TypedField
        form={form}
        name="name"
        label={t('person.name')}
        hint={t('person.nameHint')}
        describedElsewhere={UNCHECKED}
      />
      <Outcome form={form} />
    </Block>
  );
}

function PhoneField({ form }: { form: TransferFormState }): ReactNode {
  const t = useTranslations('newPayout.person');
  return (
    <div className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-3">
      <Field id={controlId('country')} label={t('country')}>
        <TextInput
          id={controlId('country')}
          name="country"
          mono
          value={form.typed.country}
          inputMode="tel"
          autoComplete="off"
          onChange={(event) => form.type('country', event.target.value)}
          onBlur={() => form.touch('phone')}
        />
      </Field>
      <TypedField
        form={form}
        name="phone"
        label={t('phone')}
        hint={form.read.key === null ? t('phoneHint') : shownKey(form.read.key)}
        inputMode="tel"
      />
    </div>
  );
}

const LOOKS = {
  waiting: { Icon: ScanSearch, look: 'bg-draft-ground text-draft' },
  asking: { Icon: LoaderCircle, look: 'bg-draft-ground text-draft' },
  fits: { Icon: CircleCheck, look: 'bg-settled-ground text-settled' },
  similar: { Icon: ScanSearch, look: 'bg-attention-ground text-attention' },
  differs: { Icon: CircleX, look: 'bg-attention-ground text-attention' },
  unnamed: { Icon: CircleHelp, look: 'bg-attention-ground text-attention' },
  nobody: { Icon: CircleX, look: 'bg-failed-ground text-failed' },
  unchecked: {
    Icon: CircleHelp,
    look: 'border border-dashed border-unknown bg-unknown-ground text-unknown',
  },
} as const satisfies Record<string, { Icon: LucideIcon; look: string }>;

/**
 * The result in words with a sign of its own shape, never by colour alone. Always present and of
 * fixed height, so that nothing below moves.
 */
function Outcome({ form }: { form: TransferFormState }): ReactNode {
  const t = useTranslations('newPayout.person.outcomes');
  const {
    person: { person, asking, askAgain },
    read,
  } = form;
  const outcome = asking
    ? 'asking'
    : person === null
      ? 'waiting'
      : person.kind !== 'found'
        ? person.kind
        : read.content.name === undefined || read.content.name === ''
          ? 'similar'
          : nameFit(read.content.name, person.name);
  const { Icon, look } = LOOKS[outcome];
  const values = {
    masked: person?.kind === 'found' ? (person.name ?? '') : '',
    name: read.content.name ?? '',
    wallet: person?.kind === 'found' ? person.wallet : '',
    key: read.key === null ? '' : shownKey(read.key),
  };
  return (
    <div role="status" className={`flex min-h-16 gap-3 rounded-control px-3 py-2 ${look}`}>
      <Icon
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${outcome === 'asking' ? 'animate-spin' : ''}`}
      />
      <div className="grid min-w-0 content-start gap-0.5">
        <p className="font-semibold wrap-anywhere">{t(`${outcome}.title`, values)}</p>
        <p className="text-label wrap-anywhere">{t(`${outcome}.text`, values)}</p>
        {outcome === 'unchecked' && (
          <div className="mt-1">
            <Button onClick={() => void askAgain()}>{t('askAgain')}</Button>
          </div>
        )}
      </div>
    </div>
  );
}
