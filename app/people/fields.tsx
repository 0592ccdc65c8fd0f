'use client';

import { useId, useState } from 'react';
import type { ChangeEvent, ReactNode } from 'react';
import { DayInput } from '#components/day-input.tsx';
import type { DayWords } from '#components/day-input.tsx';
import { KeptSelect } from '#components/kept-select.tsx';
import { Checkbox, Field, TextInput } from '#components/ui/field.tsx';

/** A text field of a dialog that keeps what was typed when React resets the form. */
export function TypedField({
  name,
  label,
  hint,
  max,
  first = '',
  email = false,
}: {
  name: string;
  label: string;
  hint?: string;
  max: number;
  /** What stands there at the start. */
  first?: string;
  email?: boolean;
}): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState(first);
  return (
    <Field id={id} label={label} hint={hint}>
      <TextInput
        id={id}
        name={name}
        autoComplete="off"
        maxLength={max}
        value={typed}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event: ChangeEvent<HTMLInputElement>) => setTyped(event.target.value)}
        {...(email
          ? { inputMode: 'email' as const, autoCapitalize: 'none', spellCheck: false }
          : {})}
      />
    </Field>
  );
}

/** A tick of a dialog, kept when React resets the form. */
export function TickField({ name, label }: { name: string; label: string }): ReactNode {
  const id = useId();
  const [ticked, setTicked] = useState(false);
  return (
    <Checkbox
      id={id}
      name={name}
      label={label}
      defaultChecked={ticked}
      onChange={(event: ChangeEvent<HTMLInputElement>) => setTicked(event.target.checked)}
    />
  );
}

/** A choice among people by name. */
export function PersonField({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  options: readonly { id: string; name: string }[];
}): ReactNode {
  const id = useId();
  return (
    <Field id={id} label={label}>
      <KeptSelect id={id} name={name} defaultValue={options[0]?.id}>
        {options.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </KeptSelect>
    </Field>
  );
}

/**
 * A day of a dialog that keeps what was typed or picked when React resets the form. An empty one is
 * refused by the action, in the person's language and not in the browser's.
 */
export function DayField({
  name,
  label,
  value,
  words,
}: {
  name: string;
  label: string;
  value: string | null;
  words: DayWords;
}): ReactNode {
  const id = useId();
  return (
    <span className="contents" onBlur={keepDay} onChange={keepDay}>
      <DayInput id={id} name={name} label={label} value={value} words={words} />
    </span>
  );
}

function keepDay({ currentTarget }: { currentTarget: HTMLElement }): void {
  const typed = currentTarget.querySelector<HTMLInputElement>('input[data-day]');
  if (typed !== null) typed.defaultValue = typed.value;
}

/** `asks`: what a chosen role needs, in words. */
export type RoleOption = { role: string; name: string; text: string; asks: string };

/** A choice of roles that says below it what the chosen one may do and whether it needs two people. */
export function RoleField({
  label,
  options,
}: {
  label: string;
  options: readonly RoleOption[];
}): ReactNode {
  const id = useId();
  const [chosen, setChosen] = useState(options[0]?.role);
  const option = options.find(({ role }) => role === chosen);
  return (
    <Field
      id={id}
      label={label}
      hint={
        option && (
          <>
            {option.text} <span className="font-medium text-ink">{option.asks}</span>
          </>
        )
      }
    >
      <span className="contents" onChange={(event) => setChosen(valueOf(event))}>
        <KeptSelect
          id={id}
          name="role"
          aria-describedby={`${id}-hint`}
          defaultValue={options[0]?.role}
        >
          {options.map(({ role, name }) => (
            <option key={role} value={role}>
              {name}
            </option>
          ))}
        </KeptSelect>
      </span>
    </Field>
  );
}

function valueOf({ target }: { target: EventTarget }): string {
  return target instanceof HTMLSelectElement ? target.value : '';
}
