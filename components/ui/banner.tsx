import type { ReactNode } from 'react';
import { TONE_GROUND, TONE_ICON } from './pill.tsx';
import type { Tone } from './pill.tsx';

/** A full-width band. `live`: read out when it appears or changes. */
export function Banner({
  tone,
  title,
  children,
  live = false,
  actions,
}: {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  live?: boolean;
  actions?: ReactNode;
}): ReactNode {
  const Icon = TONE_ICON[tone];
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
