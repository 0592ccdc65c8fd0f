import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentProps, ReactNode } from 'react';
import { Link } from './link.tsx';

export type ButtonLook = 'primary' | 'secondary' | 'danger' | 'ghost';

const BASE =
  'no-print inline-flex min-h-9 items-center justify-center gap-2 rounded-control px-3.5 py-1 text-body ' +
  'font-medium transition-colors duration-150 disabled:opacity-55 aria-disabled:opacity-55 ' +
  'pointer-coarse:min-h-11';

const LOOKS: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent hover:brightness-110',
  secondary: 'border border-control bg-surface text-ink hover:bg-raised',
  danger: 'border border-failed bg-surface text-failed hover:bg-failed-ground',
  ghost: 'text-accent hover:bg-draft-ground',
};

export function Button({
  look = 'secondary',
  className = '',
  type = 'button',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonLook }): ReactNode {
  return <button type={type} className={`${BASE} ${LOOKS[look]} ${className}`} {...rest} />;
}

/** A button that submits its form. A press while the form is being sent does nothing. */
export function SubmitButton({
  pending,
  ...rest
}: ComponentProps<typeof Button> & { pending: boolean }): ReactNode {
  return (
    <Button
      type="submit"
      {...rest}
      aria-disabled={pending}
      onClick={(event) => {
        if (pending) event.preventDefault();
      }}
    />
  );
}

export function LinkButton({
  look = 'secondary',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & { look?: ButtonLook }): ReactNode {
  return <Link className={`${BASE} ${LOOKS[look]} ${className}`} {...rest} />;
}

/**
 * A link to a download. The browser itself must fetch it, once; the router must not prefetch it.
 */
export function FileButton({
  look = 'secondary',
  className = '',
  children,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; look?: ButtonLook }): ReactNode {
  return (
    <a className={`${BASE} ${LOOKS[look]} ${className}`} {...rest}>
      {children}
    </a>
  );
}
