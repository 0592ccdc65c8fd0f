import 'server-only';
import { shownHtml } from '../shown-html.ts';
import { printPage } from './print-page.ts';

/**
 * The PDF, or why there is none. `no_engine`: this machine has no Chromium; `not_printable`: the
 * HTML is too large or too deep to be shown; `too_large`: the PDF exceeds the limit; `engine`:
 * Chromium failed or took too long.
 */
export type Printing =
  | { kind: 'printed'; bytes: Uint8Array }
  | { kind: 'failed'; why: 'no_engine' | 'not_printable' | 'too_large' | 'engine' };

/** Forbids scripts, forms, frames and every request; pictures only from `data:` addresses. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Prints a receipt as PDF. Its HTML comes from outside: it is sanitized as for display, a policy
 * forbids the requests that a style may still make, and the browser has no network at all
 * (`print-page.ts`), which would be enough alone. `timeMs`: as for `printPage`.
 */
export async function htmlToPdf(browser: string, html: string, timeMs?: number): Promise<Printing> {
  const shown = shownHtml(html);
  if (shown === null) return { kind: 'failed', why: 'not_printable' };
  const bytes = await printPage(browser, withPolicy(shown), timeMs);
  if (bytes === null) return { kind: 'failed', why: 'engine' };
  if (bytes.length > BYTES_MAX) return { kind: 'failed', why: 'too_large' };
  return { kind: 'printed', bytes };
}

/** Puts the policy before everything else, because it applies only to what follows it. */
function withPolicy(shown: string): string {
  return (
    `<!doctype html><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">${shown}`
  );
}
