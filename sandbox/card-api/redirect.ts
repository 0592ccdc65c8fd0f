import { empty } from '../wallet-api/answer.ts';
import type { Answer } from '../wallet-api/answer.ts';
import { escapeHtml, page } from './page.ts';

/** Sends the browser back to the merchant: by query string, or by a form that submits itself. */

export const seeOther = (location: string, code: string | null = null): Answer => ({
  ...empty(303, { location, 'cache-control': 'no-store' }),
  code,
});

/** Adds the result's fields to the query of an address, which keeps its other parameters. */
function withQuery(address: string, fields: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}

export function returnBrowser(
  address: string,
  method: 'GET' | 'POST',
  fields: Record<string, string>,
  code: string,
): Answer {
  if (method === 'GET') return seeOther(withQuery(address, fields), code);
  const inputs = Object.entries(fields)
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    )
    .join('');
  return page(
    'Üye işyerine dönülüyor',
    `<form id="back" method="post" action="${escapeHtml(address)}">${inputs}<button ` +
      'class="main">Devam · Continue</button></form>',
    {
      lang: 'tr',
      forms: [new URL(address).origin],
      script: "document.getElementById('back').submit()",
      code,
    },
  );
}
