/**
 * The statements on a subject that needs two people, as a page shows them. JSON-safe; times ISO.
 */
export type SecondPersonView = {
  /** When it was closed, and with which outcome; null while it is open. */
  closedAt: string | null;
  outcome: string | null;
  /** What is missing, or `agreed`; `senior` is an approver or an owner. */
  standing: 'nobody' | 'second_person' | 'senior' | 'contradicted' | 'agreed';
  /** The viewer has made a statement that counts and can be withdrawn. */
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
