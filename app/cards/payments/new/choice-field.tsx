import type { ReactNode } from 'react';
import { Checkbox, describedBy, Field, Select } from '#components/ui/field.tsx';

/** A select field for one of several values; `none` is the text of an empty choice. */
export function ChoiceField<Value extends string>({
  id,
  label,
  value,
  values,
  textOf,
  none,
  error = null,
  onChoose,
}: {
  id: string;
  label: string;
  value: Value | null;
  values: readonly Value[];
  textOf: (value: Value) => string;
  none?: string;
  error?: string | null;
  onChoose: (value: Value | null) => void;
}): ReactNode {
  return (
    <Field id={id} label={label} error={error}>
      <Select
        id={id}
        value={value ?? ''}
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { error })}
        onChange={(event) => onChoose(values.find((one) => one === event.target.value) ?? null)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {values.map((one) => (
          <option key={one} value={one}>
            {textOf(one)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** A checkbox on a row of its own. */
export function CheckRow({
  id,
  label,
  checked,
  onCheck,
}: {
  id: string;
  label: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}): ReactNode {
  return (
    <div className="sm:col-span-full">
      <Checkbox
        id={id}
        checked={checked}
        onChange={(event) => onCheck(event.target.checked)}
        label={label}
      />
    </div>
  );
}
