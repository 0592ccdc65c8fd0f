import type { ReactNode } from 'react';

/** Radio buttons for several values, each with its name and an explanation; the first is chosen. */
export function RadioChoices({
  name,
  legend,
  options,
  look,
}: {
  name: string;
  legend: string;
  options: readonly { value: string; name: string; text: string }[];
  look?: string;
}): ReactNode {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2 text-label font-medium text-muted">{legend}</legend>
      {options.map((option, at) => {
        const id = `${name}-${option.value}`;
        return (
          <div key={option.value} className="flex items-start gap-2.5">
            <input
              type="radio"
              id={id}
              name={name}
              value={option.value}
              defaultChecked={at === 0}
              aria-describedby={`${id}-text`}
              className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
            />
            <div className="grid min-w-0">
              <label htmlFor={id} className="font-medium">
                {option.name}
              </label>
              <p id={`${id}-text`} className={`max-w-prose text-muted ${look ?? 'text-label'}`}>
                {option.text}
              </p>
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}
