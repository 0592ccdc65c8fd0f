'use client';

import { __iconData as calendar } from 'lucide-react/icons/calendar';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { drawn } from '#components/ui/icon.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { readDay, typedDay } from '#lib/values/typed-day.ts';

const Calendar = drawn(calendar);

export type DayWords = { locale: Locale; wrong: string; pick: string };

/**
 * A field for a day, which is typed in the order of the person's language or picked from the
 * browser's calendar. Its form sends what was typed, and the server reads it by `readDay`. `value`
 * and `max`: '2026-11-24'.
 */
export function DayInput({
  id,
  name,
  label,
  hint,
  value,
  max,
  required = false,
  words,
}: {
  id: string;
  name: string;
  label: string;
  hint?: string | undefined;
  value: string | null;
  max?: string | undefined;
  required?: boolean;
  words: DayWords;
}): ReactNode {
  const { locale } = words;
  const typed = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState(false);
  const check = (field: HTMLInputElement): string | null => {
    const day = readDay(field.value);
    field.setCustomValidity(day === null && field.value.trim() !== '' ? words.wrong : '');
    return day;
  };
  const shown = { hint, error: wrong ? words.wrong : undefined };
  return (
    <Field id={id} label={label} {...shown}>
      <div className="relative">
        <TextInput
          ref={typed}
          id={id}
          name={name}
          defaultValue={value === null ? '' : typedDay(value, locale)}
          placeholder={locale === 'tr' ? 'gg.aa.yyyy' : 'dd/mm/yyyy'}
          maxLength={20}
          autoComplete="off"
          required={required}
          data-day={locale}
          className="pr-9 tabular-nums"
          aria-invalid={wrong || undefined}
          aria-describedby={describedBy(id, shown)}
          onInput={(event) => {
            if (check(event.currentTarget) !== null) setWrong(false);
          }}
          onInvalid={(event) => setWrong(event.currentTarget.validity.customError)}
          onBlur={(event) => {
            const day = check(event.currentTarget);
            setWrong(event.currentTarget.validity.customError);
            if (day !== null) event.currentTarget.value = typedDay(day, locale);
          }}
        />
        <CalendarButton
          label={`${words.pick}: ${label}`}
          max={max}
          current={() => readDay(typed.current?.value ?? '')}
          onPick={(day) => {
            if (typed.current === null) return;
            typed.current.value = typedDay(day, locale);
            check(typed.current);
            setWrong(false);
          }}
        />
      </div>
    </Field>
  );
}

/** A button that opens the browser's own calendar, whose date field is hidden. */
function CalendarButton({
  label,
  max,
  current,
  onPick,
}: {
  label: string;
  max: string | undefined;
  current: () => string | null;
  onPick: (day: string) => void;
}): ReactNode {
  const native = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={native}
        type="date"
        tabIndex={-1}
        aria-hidden
        max={max}
        className="pointer-events-none absolute inset-y-0 right-0 w-9 opacity-0"
        onChange={({ target }) => {
          if (target.value !== '') onPick(target.value);
        }}
      />
      <button
        type="button"
        aria-label={label}
        className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-control text-muted hover:text-ink"
        onClick={() => {
          if (native.current === null) return;
          native.current.value = current() ?? '';
          native.current.showPicker();
        }}
      >
        <Calendar aria-hidden className="size-4" />
      </button>
    </>
  );
}
