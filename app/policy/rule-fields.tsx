'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useFocusAfterRemoval } from '#components/focus-after-removal.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox, Field, Select, TextInput } from '#components/ui/field.tsx';
import { CONDITIONS, POLICY_CLASSES, POLICY_CURRENCIES } from '#lib/policy/rules.ts';
import type { TypedRule } from '#lib/policy/form.ts';

/** A rule as it is typed; a stored currency may be one that the form no longer offers. */
type Typed = Omit<TypedRule, 'currency' | 'approvals'> & { currency: string; approvals: string };

const NEW: Typed = {
  when: 'amount',
  classes: ['payout', 'transfer'],
  wallets: '',
  amount: '',
  currency: 'TRY',
  approvals: '1',
  who: 'approver',
};

/** The rules of the form; they are sent as one field, so that none is lost on the way. */
export function RuleFields({ first }: { first: Typed[] }): ReactNode {
  const t = useTranslations('policy.form');
  const [rules, setRules] = useState(first.length > 0 ? first : [NEW]);
  const box = useFocusAfterRemoval<HTMLDivElement>(rules.length);
  const change = (at: number, to: Partial<Typed>): void =>
    setRules(rules.map((rule, index) => (index === at ? { ...rule, ...to } : rule)));
  return (
    <div ref={box} className="grid items-start gap-4 xl:grid-cols-2">
      <input type="hidden" name="rules" value={JSON.stringify(rules)} />
      {rules.map((rule, at) => (
        <RuleFieldset
          // A rule has no name of its own; its place is what the person sees.
          key={`rule-${String(at)}`}
          number={at + 1}
          rule={rule}
          onChange={(to) => change(at, to)}
          onRemove={() => setRules(rules.filter((_, index) => index !== at))}
        />
      ))}
      {rules.length === 0 && <p className="col-span-full text-body">{t('none')}</p>}
      <div className="col-span-full">
        <Button onClick={() => setRules([...rules, NEW])}>{t('add')}</Button>
      </div>
    </div>
  );
}

function RuleFieldset({
  number,
  rule,
  onChange,
  onRemove,
}: {
  number: number;
  rule: Typed;
  onChange: (to: Partial<Typed>) => void;
  onRemove: () => void;
}): ReactNode {
  const t = useTranslations('policy.form');
  const id = useId();
  return (
    <fieldset className="grid gap-3 rounded-panel border border-hairline p-3">
      <legend className="px-1 text-label font-medium">{t('rule', { number })}</legend>
      <Choice
        id={`${id}-when`}
        label={t('when')}
        value={rule.when}
        options={CONDITIONS.map((one) => [one, t(`conditions.${one}`)])}
        onChoose={(when) => onChange({ when })}
      />
      <Classes id={id} chosen={rule.classes} onChange={(classes) => onChange({ classes })} />
      <Asked id={id} rule={rule} onChange={onChange} />
      <Field id={`${id}-wallets`} label={t('wallets')} hint={t('walletsHint')}>
        <TextInput
          id={`${id}-wallets`}
          autoComplete="off"
          value={rule.wallets}
          onChange={(event) => onChange({ wallets: event.target.value })}
        />
      </Field>
      <div>
        <Button onClick={onRemove}>{t('remove', { number })}</Button>
      </div>
    </fieldset>
  );
}

/** From which amount on, and how many people of which role. */
function Asked({
  id,
  rule,
  onChange,
}: {
  id: string;
  rule: Typed;
  onChange: (to: Partial<Typed>) => void;
}): ReactNode {
  const t = useTranslations('policy.form');
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field id={`${id}-amount`} label={t('amount')}>
        <TextInput
          id={`${id}-amount`}
          inputMode="decimal"
          autoComplete="off"
          value={rule.amount}
          onChange={(event) => onChange({ amount: event.target.value })}
        />
      </Field>
      <Choice
        id={`${id}-currency`}
        label={t('currency')}
        value={rule.currency}
        options={POLICY_CURRENCIES.map((one) => [one, one])}
        onChoose={(currency) => onChange({ currency })}
      />
      <Choice
        id={`${id}-approvals`}
        label={t('approvals')}
        value={rule.approvals}
        options={[
          ['1', t('one')],
          ['2', t('two')],
        ]}
        onChoose={(approvals) => onChange({ approvals })}
      />
      <Choice
        id={`${id}-who`}
        label={t('who')}
        value={rule.who}
        options={[
          ['approver', t('approver')],
          ['owner', t('owner')],
        ]}
        onChoose={(who) => onChange({ who })}
      />
    </div>
  );
}

function Classes({
  id,
  chosen,
  onChange,
}: {
  id: string;
  chosen: Typed['classes'];
  onChange: (to: Typed['classes']) => void;
}): ReactNode {
  const t = useTranslations('policy');
  return (
    <fieldset className="grid gap-x-3 gap-y-1.5 sm:grid-cols-2">
      <legend className="mb-1 text-label font-medium text-muted">{t('form.classes')}</legend>
      {POLICY_CLASSES.map((one) => (
        <Checkbox
          key={one}
          id={`${id}-${one}`}
          label={t(`classes.${one}`)}
          checked={chosen.includes(one)}
          onChange={(event) =>
            onChange(
              POLICY_CLASSES.filter((other) =>
                other === one ? event.target.checked : chosen.includes(other),
              ),
            )
          }
        />
      ))}
    </fieldset>
  );
}

function Choice<Value extends string>({
  id,
  label,
  value,
  options,
  onChoose,
}: {
  id: string;
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  onChoose: (value: Value) => void;
}): ReactNode {
  return (
    <Field id={id} label={label}>
      <Select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([one]) => one === event.target.value);
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  );
}
