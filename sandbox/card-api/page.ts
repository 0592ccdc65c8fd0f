import { randomBytes } from 'node:crypto';
import type { Answer } from '../wallet-api/answer.ts';

/**
 * The HTML pages that a buyer sees. Text from outside is escaped, and a content security policy
 * allows only what the page itself contains.
 */

export const escapeHtml = (value: string): string =>
  value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const CSS = `:root{color-scheme:light dark;--canvas:#F6F7F9;--surface:#FFF;--ink:#141926;--muted:#4B5567;
  --line:#E2E6EC;--control:#858D9D;--accent:#2647C8;--on:#FFF;--bad:#A61B2B}
@media (prefers-color-scheme:dark){:root{--canvas:#0D1017;--surface:#141822;--ink:#E8ECF3;
  --muted:#A6B0C1;--line:#262D3B;--control:#6C778C;--accent:#8FA6FF;--on:#0D1017;--bad:#FF9AA5}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;
  padding:20px;background:var(--canvas);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:400px;background:var(--surface);border:1px solid var(--line);
  border-radius:16px;padding:24px}h1{font-size:20px;margin:0 0 4px}p{margin:0 0 12px}
.muted{color:var(--muted);font-size:14px}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:16px 0;font-size:15px}
dt{color:var(--muted)}dd{margin:0;text-align:right;overflow-wrap:anywhere;
  font-variant-numeric:tabular-nums}
form{display:grid;gap:10px}label{display:grid;gap:4px;font-size:14px;color:var(--muted)}
.pair{display:grid;grid-template-columns:1fr 1fr 1fr;gap:10px}
input,button{font:inherit;width:100%;min-height:44px;border-radius:10px;padding:0 12px;
  border:1px solid var(--control);background:var(--surface);color:var(--ink)}
button{cursor:pointer;font-weight:600}button.main{background:var(--accent);
  border-color:var(--accent);color:var(--on)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}.problem{color:var(--bad)}`;

/**
 * `forms`: other origins to which a form of this page may lead, also after a redirect. `script`:
 * runs under the page's nonce.
 */
export function page(
  title: string,
  inner: string,
  options: {
    lang: string;
    forms?: string[];
    script?: string;
    status?: number;
    code?: string | null;
  },
): Answer {
  const nonce = randomBytes(16).toString('base64url');
  const script = options.script ? `<script nonce="${nonce}">${options.script}</script>` : '';
  return {
    status: options.status ?? 200,
    contentType: 'text/html; charset=utf-8',
    code: options.code ?? null,
    body:
      `<!DOCTYPE html><html lang="${options.lang}"><head><meta charset="utf-8"><meta ` +
      'name="viewport" content="width=device-width, ' +
      `initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" ` +
      `href="data:,"><style nonce="${nonce}">${CSS}</style></head><body><main><h1>` +
      `${escapeHtml(title)}</h1>${inner}</main>${script}</body></html>`,
    headers: {
      'content-security-policy':
        `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src ` +
        `data:; form-action 'self' ${(options.forms ?? []).join(' ')}; base-uri 'none'; ` +
        "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  };
}
