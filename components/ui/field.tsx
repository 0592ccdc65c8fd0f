import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react';

const CONTROL =
  'w-full rounded-control border border-control bg-surface px-3 text-body text-ink ' +
  'placeholder:text-subtle disabled:bg-draft-ground disabled:text-muted ' +
  'aria-invalid:border-failed pointer-coarse:text-[16px]';

/**
 * A field with its label above, and its hint and error below. Screen readers read hint and error
 * with the field: pass `describedBy(id)` to the control.
 */
export function Field({
  id,
  label,
  hint,
  hintBeside = false,
  error,
  trailing,
  children,
}: {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  /** The hint stands beside the label, not below the control. */
  hintBeside?: boolean;
  error?: ReactNode;
  trailing?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const hintLine = hint && (
    <p id={`${id}-hint`} className="text-label text-muted">
      {hint}
    </p>
  );
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="text-label font-medium text-muted">
          {label}
        </label>
        {trailing && <span className="text-label text-muted">{trailing}</span>}
        {hintBeside && hintLine}
      </div>
      {children}
      {!hintBeside && hintLine}
      {error && (
        <p id={`${id}-error`} className="text-label font-medium text-failed">
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns the ids for a control's `aria-describedby`, matching what `Field` shows below it. */
export function describedBy(
  id: string,
  shown: { hint?: unknown; error?: unknown },
): string | undefined {
  const ids = [shown.error ? `${id}-error` : null, shown.hint ? `${id}-hint` : null].filter(
    Boolean,
  );
  return ids.length > 0 ? ids.join(' ') : undefined;
}

export function TextInput({
  className = '',
  mono = false,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & {
  mono?: boolean;
  ref?: Ref<HTMLInputElement>;
}): ReactNode {
  return (
    <input
      className={`${CONTROL} h-9 pointer-coarse:h-11 ${mono ? 'font-mono text-mono' : ''} ${className}`}
      {...rest}
    />
  );
}

export function Select({
  className = '',
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }): ReactNode {
  return <select className={`${CONTROL} h-9 pointer-coarse:h-11 ${className}`} {...rest} />;
}

export function Textarea({
  className = '',
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }): ReactNode {
  return <textarea className={`${CONTROL} min-h-20 py-2 ${className}`} {...rest} />;
}

export function Checkbox({
  id,
  label,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { id: string; label: ReactNode }): ReactNode {
  return (
    <label htmlFor={id} className="flex min-h-6 items-start gap-2.5 text-body">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
        {...rest}
      />
      <span>{label}</span>
    </label>
  );
}
