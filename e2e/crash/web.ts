import { setTimeout as pause } from 'node:timers/promises';
import { readBuild } from '../build.ts';
import { sandbox } from '../sandbox.ts';
import { BASE_URL, BASE_URL_2 } from '../surroundings.ts';
import type { Payment } from './plan.ts';

/** A person at the two webs, over HTTP and without a browser: a web that dies under a request is what these tests are about. */

const ORIGINS = [BASE_URL, BASE_URL_2];
const PASSWORD = 'demo-Parola-1';
const WALLET = '4410270001';
/** The purpose "commercial": its description has no least length. */
const COMMERCIAL = '06';
const ANSWER_MS = 20_000;
const AGAIN_MS = 150;

/** Signed in, and knowing the name of the form's action in this build. */
export type Visitor = { cookie: string; sendAction: string };

/** Both steps of the sign-in, by the doors that the form uses. The cookie is good at both webs. */
export async function signIn(email: string): Promise<Visitor> {
  const jar = new Map([['locale', 'en']]);
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { origin: BASE_URL, 'sec-fetch-site': 'same-origin', cookie: cookieOf(jar), ...(init.headers as Record<string, string>) };
    const answer = await fetch(`${BASE_URL}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) jar.set(line.split('=', 1)[0]!, line.split(';', 1)[0]!.slice(line.indexOf('=') + 1));
    return answer;
  };
  await call('/api/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ step: 'start', email, password: PASSWORD }) });
  const { csrfToken } = (await (await call('/api/auth/csrf')).json()) as { csrfToken: string };
  const code = (await sandbox.code(email)) ?? '';
  await call('/api/auth/callback/credentials', { method: 'POST', body: new URLSearchParams({ csrfToken, code, json: 'true', callbackUrl: '/' }) });
  if (!jar.has('sid')) throw new Error(`${email} could not sign in`);
  return { cookie: cookieOf(jar), sendAction: (await readBuild()).actions['sendPayout']! };
}

/** Sends the form until a web says that the payout is made; every try carries the same intent. Returns how often it was sent. */
export async function submit({ cookie, sendAction }: Visitor, payment: Payment, choose: () => number, until: AbortSignal): Promise<number> {
  let said = '';
  for (let tries = 1; !until.aborted; tries += 1) {
    const origin = ORIGINS[Math.floor(choose() * ORIGINS.length)]!;
    try {
      const headers = { origin, 'sec-fetch-site': 'same-origin', cookie, 'next-action': sendAction };
      const answer = await fetch(`${origin}/payouts/new`, { method: 'POST', headers, body: formOf(payment), redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
      if (answer.headers.get('x-action-redirect')?.includes(`/payouts/${payment.id}`)) return tries;
      said = `${answer.status} ${(await answer.text()).slice(-300)}`;
    } catch (error) {
      said = String(error);
    }
    await pause(AGAIN_MS);
  }
  throw new Error(`the payout ${payment.id} was never taken; the last answer was ${said}`);
}

/** What the payout's page says of its state and its amount, at each of the two webs. */
export async function shown({ cookie }: Visitor, id: string): Promise<string[]> {
  return Promise.all(
    ORIGINS.map(async (origin) => {
      const answer = await fetch(`${origin}/payouts/${id}`, { headers: { cookie }, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
      const page = await answer.text();
      const head = /<article.*?<h1[^>]*>(?<amount>.*?)<\/h1>(?<state>.*?)<\/div>/s.exec(page)?.groups;
      return head === undefined ? `no payout, ${answer.status}` : `${textOf(head['amount']!)} ${textOf(head['state']!)}`;
    }),
  );
}

/** As the browser sends a form to a server action. */
function formOf(payment: Payment): FormData {
  const { id, payee, amountMinor } = payment;
  const fields = { id, locale: 'en', wallet: WALLET, iban: payee.iban, name: payee.name, taxNumber: payee.taxNumber, amount: (amountMinor / 100).toFixed(2), paymentType: COMMERCIAL, description: `Invoice ${id.slice(0, 8)}` };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(`_1_${name}`, value);
  form.append('0', '["$K1"]');
  return form;
}

function cookieOf(jar: Map<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** What is left of a piece of a page when only its words are read. */
function textOf(html: string): string {
  return html.replace(/<!--.*?-->|<[^>]+>/gs, '').replaceAll('&nbsp;', ' ').trim();
}
