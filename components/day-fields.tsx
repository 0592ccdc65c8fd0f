'use client';

import { useSearchParams } from 'next/navigation';
import { use, useEffect, useEffectEvent, useRef } from 'react';
import type { ReactNode, Ref } from 'react';
import { DayInput } from '#components/day-input.tsx';
import type { DayWords } from '#components/day-input.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { ListPlaceContext } from '#components/ui/list-place.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readDay, typedDay } from '#lib/values/typed-day.ts';

type Preset = { name: string; text: string; from: string; to: string };
type Days = { from: string | null; to: string | null };

const NO_DAYS: Days = { from: null, to: null };

type Words = Record<'from' | 'to' | 'range' | 'typed', string> & {
  all: string | null;
  day: DayWords;
};

const TYPED = 'typed';

/**
 * The usual range that a person chose last, and in which fields. The address has only its days, and
 * these fields are often made anew for it: where several ranges have these days, this says which.
 */
let lastChoice: { id: string; name: string } | null = null;

/** The fields of a `DayRange`. Choosing a usual range fills both days and applies at once. */
export function DayFields({
  id,
  from,
  to,
  today,
  presets,
  words,
}: Days & {
  id: string;
  today: string;
  presets: readonly Preset[];
  words: Words;
}): ReactNode {
  const { locale } = words.day;
  const search = useSearchParams();
  const isPlace = use(ListPlaceContext) !== null;
  const box = useRef<HTMLDivElement>(null);
  const range = useRef<HTMLSelectElement>(null);
  const days = isPlace ? daysIn(search) : { from, to };
  const chosen = nameOf(days, presets, null);
  useDaysOfAddress({
    days,
    chosen,
    isPlace,
    onWrite: (wanted) => write(box.current, wanted, locale),
    onName: (of) => {
      const last = lastChoice?.id === id ? lastChoice.name : null;
      if (range.current) range.current.value = nameOf(of, presets, last);
    },
  });
  return (
    <div ref={box} className="contents">
      <RangeField
        ref={range}
        id={`${id}-range`}
        chosen={chosen}
        presets={presets}
        words={words}
        onChoose={(name) => {
          lastChoice = { id, name };
          const { from, to } = presets.find((preset) => preset.name === name) ?? NO_DAYS;
          write(box.current, { from, to }, locale);
        }}
      />
      {(['from', 'to'] as const).map((side) => (
        <div key={side} className="min-w-0 sm:w-36">
          <DayInput
            id={`${id}-${side}`}
            name={side}
            label={words[side]}
            value={days[side]}
            max={side === 'from' ? today : undefined}
            words={words.day}
          />
        </div>
      ))}
    </div>
  );
}

/**
 * Writes the days of the address into the fields and names their range, whenever the address has
 * other days than the fields were drawn with. Days that the fields have already are not written
 * again: a person may have typed others before the scripts ran.
 */
function useDaysOfAddress({
  days,
  chosen,
  isPlace,
  onWrite,
  onName,
}: {
  days: Days;
  chosen: string;
  isPlace: boolean;
  onWrite: (days: Days) => void;
  onName: (days: Days) => void;
}): void {
  const drawn = useRef(days);
  const show = useEffectEvent((wanted: Days, isDrawn: boolean): void => {
    if (!isDrawn) onWrite(wanted);
    onName(wanted);
  });
  // The address may have changed without these fields: a removed chip, the back button.
  useEffect(() => {
    const { from, to } = drawn.current;
    drawn.current = { from: days.from, to: days.to };
    show(drawn.current, from === days.from && to === days.to);
  }, [days.from, days.to, chosen]);
  // Whoever goes back at once skips the render of the days that they have just chosen, so that the
  // days of this component never change.
  useEffect(() => {
    if (!isPlace) return;
    const follow = (): void => show(daysIn(new URLSearchParams(location.search)), false);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [isPlace]);
}

/** The list of usual ranges. Choosing one fills both days; the form around it applies them. */
function RangeField({
  ref,
  id,
  chosen,
  presets,
  words,
  onChoose,
}: {
  ref: Ref<HTMLSelectElement>;
  id: string;
  chosen: string;
  presets: readonly Preset[];
  words: Words;
  onChoose: (name: string) => void;
}): ReactNode {
  return (
    <div className="min-w-0 max-sm:col-span-2 sm:w-36">
      <Field id={id} label={words.range}>
        <Select
          ref={ref}
          id={id}
          defaultValue={chosen}
          onChange={({ target }) => onChoose(target.value)}
        >
          {words.all !== null && <option value="">{words.all}</option>}
          {presets.map(({ name, text }) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
          <option value={TYPED} disabled>
            {words.typed}
          </option>
        </Select>
      </Field>
    </div>
  );
}

/** Writes the days into the fields within `box`, as the language writes them. */
function write(box: HTMLElement | null, wanted: Days, locale: Locale): void {
  for (const side of ['from', 'to'] as const) {
    const field = box?.querySelector<HTMLInputElement>(`input[name="${side}"]`);
    if (!field) continue;
    field.value = wanted[side] === null ? '' : typedDay(wanted[side], locale);
    // The field's own check was of the day that is gone.
    field.setCustomValidity('');
  }
}

function daysIn(place: Pick<URLSearchParams, 'get'>): Days {
  return { from: readDay(place.get('from') ?? ''), to: readDay(place.get('to') ?? '') };
}

/**
 * The name of the usual range with these days. Where several have them, it is the one chosen `last`,
 * and none without that choice: a guess could be wrong.
 */
function nameOf({ from, to }: Days, presets: readonly Preset[], last: string | null): string {
  if (from === null && to === null) return '';
  const names = presets
    .filter((preset) => preset.from === from && preset.to === to)
    .map(({ name }) => name);
  if (names.length === 1) return names[0]!;
  return names.find((name) => name === last) ?? TYPED;
}
