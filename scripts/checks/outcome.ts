/**
 * The result of one step of `npm test`. A step that ran nothing has failed, because no output must
 * not look like a success.
 */
export type Outcome = {
  passed: number;
  failed: number;
  /** The output for the person who has to repair a failure; shown only when something failed. */
  report: string;
  /** Sentences that are shown although the step passed. */
  notes?: string[];
};

/** Makes an outcome of one check, which counts as one test. */
export function oneCheck(problems: string[] | string): Outcome {
  const report = typeof problems === 'string' ? problems.trim() : problems.join('\n');
  return report === '' ? { passed: 1, failed: 0, report } : { passed: 0, failed: 1, report };
}

/**
 * Adds up the outcomes of parts that ran side by side; reports of parts that passed are left out.
 */
export function together(parts: readonly Outcome[]): Outcome {
  const sum = (of: (part: Outcome) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  return {
    passed: sum((part) => part.passed),
    failed: sum((part) => part.failed),
    report: parts
      .filter((part) => part.failed > 0)
      .map((part) => part.report)
      .join('\n'),
    notes: parts.flatMap((part) => part.notes ?? []),
  };
}
