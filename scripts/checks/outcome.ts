/**
 * What one step of `npm test` found. A step that ran nothing has failed: silence must not look like
 * success.
 */
export type Outcome = {
  passed: number;
  failed: number;
  /** For a person who has to repair it; shown when something failed. */
  report: string;
  /** What passed, and has to be known all the same. */
  notes?: string[];
};

/** One check counts as one test. */
export function oneCheck(problems: string[] | string): Outcome {
  const report = typeof problems === 'string' ? problems.trim() : problems.join('\n');
  return report === '' ? { passed: 1, failed: 0, report } : { passed: 0, failed: 1, report };
}

/** The outcomes of parts that ran side by side, as one; reports of parts that passed are left out. */
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
