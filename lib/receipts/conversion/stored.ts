import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';

/** The PDF of a receipt that came as HTML, in statements over `receipts r`. */

/** The table of printed PDFs with its join condition, for a LEFT JOIN. */
export const RECEIPT_PDFS = sql`receipt_pdfs p ON p.receipt_id = r.id`;

export const PRINTED = sql`p.state AS pdf_state, p.problem AS pdf_problem`;
export type Printed = {
  pdf_state: 'WAITING' | 'READY' | 'FAILED' | null;
  pdf_problem: string | null;
};

/** The document as it came; `merged`: as PDF, and null while there is none. */
export function documentBytes(merged: boolean): Prisma.Sql {
  return merged ? sql`CASE r.format WHEN 'html' THEN p.bytes ELSE r.bytes END` : sql`r.bytes`;
}
