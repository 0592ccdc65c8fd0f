import 'server-only';
import { rootOf } from '../approval/frozen.ts';
import { formOf } from '../draft/read.ts';
import type { CheckedDraft } from '../draft/read.ts';

/**
 * The hash of what leaves when this draft is sent: wallet, payees, amounts, payment types and
 * descriptions of its rows as they are completed now. The page posts it with the Send button, since
 * a recipient that a row names may change after the page was drawn. Null where nothing leaves.
 */
export function seenHashOf({ batch, rows }: Pick<CheckedDraft, 'batch' | 'rows'>): string | null {
  const contents = rows.flatMap((row) => formOf(row)?.content ?? []);
  return rootOf(
    batch,
    contents.map((content) => ({ ...content, extId: NO_REFERENCE })),
  );
}

/** The references are made by the submit. */
const NO_REFERENCE = '';
