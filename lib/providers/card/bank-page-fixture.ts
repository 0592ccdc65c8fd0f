import 'server-only';
import type { Sandbox } from '../sandbox-fixture.ts';
import type { BrowserForm, CardOrder } from './types.ts';

/**
 * For tests: submits the forms as a browser does, and fills in the bank's page as a person does.
 * No browser is needed: pages are read as text.
 */

export type Typed = { number?: string; securityCode?: string };

/**
 * Where the browser is after a step: at the merchant's return address with its query or form
 * fields, or at a page.
 */
export type Arrival = { back: URL; fields: URLSearchParams } | { page: string; at: string };

/** Posts the form as a browser does, with the typed card fields. */
export async function submit(form: BrowserForm, typed: Typed = {}): Promise<Arrival> {
  const card: Record<string, string> = {
    cc_holder_name: 'Işık Öğüt',
    cc_no: typed.number ?? '4508034508034509',
    expiry_month: '12',
    expiry_year: '2030',
    cvv: typed.securityCode ?? '000',
  };
  return arrive(
    form.action,
    new URLSearchParams([
      ...form.fields,
      ...form.cardFields.map((name): [string, string] => [name, card[name] ?? '']),
    ]),
  );
}

/** Types the sandbox's one-time code (or another one), or cancels. */
export async function answerBank(
  sandbox: Sandbox,
  arrival: Arrival,
  step: 'confirm' | 'give_up' = 'confirm',
  other?: string,
): Promise<Arrival> {
  if ('back' in arrival) throw new Error(`already back at ${arrival.back.href}`);
  const [message] = await sandbox.control<{ code: string }[]>('GET', 'messages');
  const action = new URL(
    /<form[^>]* action="([^"]*)"/.exec(arrival.page)?.[1]?.replaceAll('&amp;', '&') ?? '',
    arrival.at,
  );
  return arrive(action.href, new URLSearchParams({ sms_code: other ?? message?.code ?? '', step }));
}

/** Follows redirects within the sandbox, and forms that send themselves back to the merchant. */
async function arrive(address: string, body?: URLSearchParams): Promise<Arrival> {
  const answer = await fetch(address, {
    ...(body ? { method: 'POST', body } : {}),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (location !== null) {
    const next = new URL(location, address);
    return next.origin === new URL(address).origin
      ? arrive(next.href)
      : { back: next, fields: next.searchParams };
  }
  const page = await answer.text();
  const itself = /<form id="back" method="post" action="([^"]*)">(.*?)<\/form>/s.exec(page);
  if (itself === null) return { page, at: address };
  const inputs = [...(itself[2] ?? '').matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
    (match): [string, string] => [plain(match[1]), plain(match[2])],
  );
  return { back: new URL(plain(itself[1])), fields: new URLSearchParams(inputs) };
}

function plain(html: string | undefined): string {
  return (html ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

export const cardOrder = (more: Partial<CardOrder> = {}): CardOrder => ({
  // Without digits: some of a random id could be taken for a card number, and hidden in logs.
  invoiceId: `I-${crypto.randomUUID().replaceAll(/\d/g, (digit) => 'ghijklmnop'[+digit]!)}`,
  description: 'Sipariş 4711',
  amountMinor: 12_340n,
  currency: 'TRY',
  installments: 1,
  buyer: { name: 'Işık', surname: 'Öğüt' },
  items: [{ name: 'Çanta', description: 'deri', priceMinor: 6_170n, quantity: 2 }],
  ...more,
});
