import type { RefusalCode } from '#lib/access/refusal.ts';

/**
 * The result of a form action, besides the form's own successes. Closed: nothing typed into the
 * form is ever echoed in it.
 */
export type ActionProblem =
  | { kind: 'signed_out' }
  | {
      kind: 'fields';
      errors: Record<string, { code: string; params?: Record<string, string | number> }>;
    }
  | { kind: 'refused'; code: RefusalCode | 'origin'; params: Record<string, string | number> }
  | { kind: 'failed'; errorId: string };
