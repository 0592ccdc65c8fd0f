import type { ReactNode } from 'react';
import { TONE_GROUND, TONE_ICON } from './pill.tsx';
import type { Icon as IconOf } from './icon.tsx';
import type { Tone } from './pill.tsx';

/**
 * A full-width message. `live`: screen readers read it when it appears or changes. `icon`: instead of
 * the one of its tone.
 */
export function Banner({
  tone,
  icon,
  title,
  children,
  live = false,
  actions,
}: {
  tone: Tone;
  icon?: IconOf;
  title?: ReactNode;
  children?: ReactNode;
  live?: boolean;
  actions?: ReactNode;
}): ReactNode {
  const Icon = icon ?? TONE_ICON[tone];
  const border = tone === 'unknown' ? 'border-dashed border-unknown' : 'border-transparent';
  return (
    <div
      role={live ? 'status' : undefined}
      className={`flex gap-3 rounded-panel border px-4 py-3 ${TONE_GROUND[tone]} ${border}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="grid min-w-0 gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-body">{children}</div>}
        {actions && <div className="mt-1 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
