/** How far the check of a large draft is, for a page that shows it meanwhile. Pure. */

/** Smaller drafts are checked before anybody sees a figure. */
export const SHOWN_FROM = 1_000;
const PARTS = 4;

/** `done`: the rows that are checked when `reached` resolves. */
export type CheckPart = { done: number; reached: Promise<void> };

/**
 * `parts`: in order, the first one when the facts are read and no row is checked yet; empty for a
 * small draft. `tell` takes the number of checked rows; `end` resolves what is left, also after an
 * error, so that nobody waits for ever.
 */
export type CheckProgress = {
  parts: readonly CheckPart[];
  tell: (done: number) => void;
  end: () => void;
};

export function checkProgress(rows: number): CheckProgress {
  const waiting = Array.from({ length: rows < SHOWN_FROM ? 0 : PARTS }, (_, part) => ({
    done: Math.floor((rows * part) / PARTS),
    ...Promise.withResolvers<void>(),
  }));
  const tell = (done: number): void => {
    for (const part of waiting) if (part.done <= done) part.resolve();
  };
  return {
    parts: waiting.map(({ done, promise }) => ({ done, reached: promise })),
    tell,
    end: () => tell(rows),
  };
}
