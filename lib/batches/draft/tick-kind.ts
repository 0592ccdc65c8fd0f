import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { readReason, REASON_MAX } from '#lib/form-fields/money-form.ts';
import type { Locale } from '#lib/values/locale.ts';
import { change } from './change.ts';
import type { Changed, OfDraft } from './change.ts';
import { readDraft } from './read.ts';
import { kindsToTick, tickedToo } from './warning-kinds.ts';

/**
 * Ticks all warnings of one kind that the person saw, with one reason. `seen`: what `kindsToTick`
 * said of them. Warnings that came or went since are ticked by nobody.
 *
 * @throws Refusal `reason_needed`, `batch_warnings_changed`, as `readDraft`, `lockDraft`
 */
export async function tickKind(
  actor: Person,
  of: OfDraft,
  { code, seen, reason: text }: { code: string; seen: string; reason: string },
  locale: Locale,
): Promise<Changed> {
  const reason = readReason(text, () => null);
  if (reason === null) throw new Refusal('reason_needed');
  const { rows } = await readDraft(actor, of.id, locale);
  const kind = kindsToTick(rows).find((one) => one.code === code);
  if (kind?.seen !== seen) throw new Refusal('batch_warnings_changed');
  return change(actor, of, (state) => ({
    ...state,
    ticked: {
      ...state.ticked,
      ...Object.fromEntries(
        Array.from(kind.keys, ([row, keys]) => [
          row,
          tickedToo(state.ticked[row], { keys, reason }, REASON_MAX),
        ]),
      ),
    },
  }));
}
