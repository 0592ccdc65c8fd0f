/**
 * Class names that several pages share. They are not in a component file, because a server
 * component cannot read a string that a client module exports.
 */

/** The link above a page's title that leads back to its list. */
export const BACK_LINK =
  'no-print -mb-3 inline-flex min-h-6 items-center gap-1 justify-self-start text-label font-medium ' +
  'text-muted hover:text-ink pointer-coarse:min-h-11';

/** The last step of a form, which shows what will be sent. */
export const REVIEW_PANEL =
  'grid grid-cols-[minmax(0,1fr)] gap-4 rounded-panel border border-hairline bg-surface p-4 ' +
  'wrap-anywhere sm:p-6';

/** A button that fills in a frequent reason. */
export const REASON_CHIP =
  'min-h-7 rounded-full border border-hairline bg-raised px-3 text-label font-medium ' +
  'hover:border-control aria-pressed:border-accent aria-pressed:text-accent ' +
  'pointer-coarse:min-h-11';

/** The currency beside an amount field. */
export const CURRENCY_BOX =
  'grid h-11 min-w-14 place-items-center rounded-control border border-hairline bg-raised px-2 ' +
  'text-body font-medium text-muted';

/** A message as it was received, in a scrolling box; each use adds its height. */
export const RAW_TEXT =
  'overflow-auto rounded-control bg-raised p-3 font-mono text-mono break-all whitespace-pre-wrap';

/** A square link with an icon alone. */
export const ICON_LINK =
  'inline-grid size-7 place-items-center rounded-control text-muted hover:bg-draft-ground ' +
  'hover:text-ink pointer-coarse:size-11';

/** A row of a short list on the home page. */
export const HOME_ROW =
  'flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-t border-hairline px-4 ' +
  'py-2.5 first:border-0';

/** The checkbox that ticks a row, or all rows of the page. */
export const PICK_BOX = 'size-4 shrink-0 accent-accent pointer-coarse:size-5';

/** The bar at the foot of a list that acts on its ticked rows. */
export const PICK_BAR =
  'no-print sticky bottom-16 z-20 flex flex-wrap items-center gap-3 rounded-panel border ' +
  'border-control bg-surface px-4 py-2.5 shadow-float lg:bottom-4';

const TOGGLE_CHIP =
  'inline-flex min-h-7 items-center rounded-full border px-3 text-label font-medium ' +
  'pointer-coarse:min-h-11';

/** A link that switches between views of one panel. */
export function toggleChip(isOn: boolean): string {
  const state = isOn
    ? 'border-accent text-accent'
    : 'border-hairline text-muted hover:border-control hover:text-ink';
  return `${TOGGLE_CHIP} ${state}`;
}

/** The download of a receipt, beside the state of its payout. */
export const RECEIPT_LINK =
  'no-print ml-2 inline-flex min-h-6 items-center text-label font-medium text-accent underline ' +
  'underline-offset-2 whitespace-nowrap pointer-coarse:min-h-11';
