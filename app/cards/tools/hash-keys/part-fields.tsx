import type { ReactNode } from 'react';
import { TextInput } from '#components/ui/field.tsx';
import { HASH_PARTS, OWN_PART } from '#lib/cards/tools/hash-parts.ts';
import type { HashSubject } from '#lib/cards/tools/hash-parts.ts';

/**
 * One field for each part, in the order in which they are joined. The names are those of the
 * gateway's interface, in every language.
 */
export function PartFields({
  id,
  subject,
  own,
  required = false,
  typed,
}: {
  id: string;
  subject: HashSubject;
  own: string;
  required?: boolean;
  typed: Readonly<Record<string, string>>;
}): ReactNode {
  return (
    <ol className="grid gap-2.5">
      {HASH_PARTS[subject].map((name, index) => (
        <li
          key={name}
          className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[13rem_minmax(0,1fr)]"
        >
          <label htmlFor={`${id}-${name}`} className="font-mono text-mono">
            <span className="text-muted tabular-nums">{index + 1}. </span>
            {name}
          </label>
          {name === OWN_PART ? (
            <output id={`${id}-${name}`} className="min-h-6 text-muted">
              {own}
            </output>
          ) : (
            <TextInput
              id={`${id}-${name}`}
              name={name}
              mono
              required={required}
              maxLength={255}
              autoComplete="off"
              spellCheck={false}
              defaultValue={typed[name] ?? ''}
            />
          )}
        </li>
      ))}
    </ol>
  );
}
