/** What people said of one thing that needs two, as a page shows it. JSON-safe; times ISO. */
export type SecondPersonView = {
  /** When it was closed, and with which outcome; null while it is open. */
  closedAt: string | null;
  outcome: string | null;
  /** What is missing, or that nothing is: `senior` is an approver or an owner. */
  standing: 'nobody' | 'second_person' | 'senior' | 'contradicted' | 'agreed';
  /** A word of the person who looks counts: it can be taken back. */
  own: boolean;
  words: {
    by: string;
    claim: string | null;
    reason: string;
    reference: string | null;
    at: string;
    counts: boolean;
  }[];
};
