import { setTimeout as pause } from 'node:timers/promises';
import { readBuild } from '../build.ts';
import { sandbox } from '../sandbox.ts';
import { BASE_URL, BASE_URL_2 } from '../surroundings.ts';
import { word } from '../words.ts';
import { until } from './trouble.ts';
import type { Operation, OrderOperation, Payment } from './plan.ts';
import type { Place } from './stock.ts';

/**
 * A person who uses the two webs over HTTP, without a browser: the tests kill a web during a
 * request.
 */

const ORIGINS = [BASE_URL, BASE_URL_2];
const PASSWORD = 'demo-Parola-1';
const WALLET = '4410270001';
/** The code of the purpose "commercial": its description has no minimum length. */
const COMMERCIAL = '06';
/** The value of the wallet field that stands for the card balance. */
const CARD_BALANCE = 'card';
const PHONE = '0533 000 02 01';
const ANSWER_MS = 20_000;
const SIGN_IN_MS = 60_000;
/**
 * After this time a person gives up on a response, presses again at the other web, and avoids the
 * unresponsive one for a while.
 */
const PATIENCE_MS = 5_000;
const SHUN_MS = 15_000;
const silentUntil = new Map<string, number>();
const AGAIN_MS = 150;
const PRESSES = 4;
const PRESS_AGAIN_MS = 2_000;
/** The presses so far: each goes to the other web than the one before. */
let turn = 0;

/**
 * A session of a person, with the ids of the forms' actions in the build of `origins`, the webs
 * that the person uses.
 */
export type Visitor = {
  cookie: string;
  actions: Record<string, string>;
  origins: readonly string[];
};

/**
 * Does the first step of the sign-in at the first web and the second one at the last, by the form's
 * endpoints. The cookie is valid at every web. A web that was killed just before is waited for.
 */
export async function signIn(
  email: string,
  origins: readonly string[] = ORIGINS,
): Promise<Visitor> {
  const [first, last] = [origins.at(0) ?? BASE_URL, origins.at(-1) ?? BASE_URL];
  await Promise.all(origins.map(untilAnswers));
  const jar = new Map([['locale', 'en']]);
  const call = async (at: string, path: string, init: RequestInit = {}) => {
    const headers = {
      origin: at,
      'sec-fetch-site': 'same-origin',
      cookie: cookieOf(jar),
      ...(init.headers as Record<string, string>),
    };
    const answer = await fetch(`${at}${path}`, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(SIGN_IN_MS),
    });
    for (const line of answer.headers.getSetCookie())
      jar.set(line.split('=', 1)[0]!, line.split(';', 1)[0]!.slice(line.indexOf('=') + 1));
    return answer;
  };
  await call(first, '/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ step: 'start', email, password: PASSWORD }),
  });
  const { csrfToken } = (await (await call(last, '/api/auth/csrf')).json()) as {
    csrfToken: string;
  };
  const code = (await sandbox.code(email)) ?? '';
  await call(last, '/api/auth/callback/credentials', {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, code, json: 'true', callbackUrl: '/' }),
  });
  if (!jar.has('sid')) throw new Error(`${email} could not sign in`);
  return { cookie: cookieOf(jar), actions: (await readBuild(first)).actions, origins };
}

function untilAnswers(origin: string): Promise<void> {
  return until(`${origin} answers`, () =>
    fetch(`${origin}/api/health/live`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

/**
 * A form as a browser submits it. `isTaken`: whether the response shows that the form is stored, by
 * this press or an earlier one.
 */
export type Form = {
  action: string;
  path: string;
  fields: Record<string, string>;
  hasState: boolean;
  isTaken(answer: { redirect: string; text: string }): boolean;
};

/**
 * Presses the button until a web answers that the form is stored; every press carries the same
 * intent. Returns the number of presses.
 */
export function submit(
  visitor: Visitor,
  operation: Operation,
  choose: () => number,
  until: AbortSignal,
  place?: Place,
): Promise<number> {
  return submitForm(visitor, formOf(operation, place), choose, until);
}

/** As `submit`, for any form. */
export async function submitForm(
  visitor: Visitor,
  form: Form,
  choose: () => number,
  until: AbortSignal,
): Promise<number> {
  let lastText = '';
  for (let tries = 1; !until.aborted; tries += 1) {
    const answering = visitor.origins.filter(
      (origin) => (silentUntil.get(origin) ?? 0) < Date.now(),
    );
    const origins = answering.length === 0 ? visitor.origins : answering;
    const answer = await send(visitor, form, origins[Math.floor(choose() * origins.length)]!);
    if (answer.status !== null && form.isTaken(answer)) return tries;
    lastText = `${answer.status} ${answer.text.slice(-300)}`;
    await pause(AGAIN_MS);
  }
  const { id } = form.fields;
  throw new Error(`${form.action} of ${id} was never taken; the last answer was ${lastText}`);
}

type Answer = { status: number | null; redirect: string; text: string };

/** Submits a form once. A `status` of null means that there was no response. */
async function send(
  { cookie, actions }: Visitor,
  form: Form,
  origin: string,
  patienceMs = PATIENCE_MS,
): Promise<Answer> {
  const headers = {
    origin,
    'sec-fetch-site': 'same-origin',
    cookie,
    'next-action': actions[form.action]!,
  };
  const body = new FormData();
  for (const [name, value] of Object.entries(form.fields)) body.append(`_1_${name}`, value);
  body.append('0', form.hasState ? '[null,"$K1"]' : '["$K1"]');
  try {
    const init = {
      method: 'POST',
      headers,
      body,
      redirect: 'manual' as const,
      signal: AbortSignal.timeout(patienceMs),
    };
    const answer = await fetch(`${origin}${form.path}`, init);
    return {
      status: answer.status,
      redirect: answer.headers.get('x-action-redirect') ?? '',
      text: await answer.text(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      silentUntil.set(origin, Date.now() + SHUN_MS);
    return { status: null, redirect: '', text: String(error) };
  }
}

/** What people may claim about an operation that no automatic check decides. */
export type Claim = 'taken' | 'not_done';

/**
 * Claims the outcome that the gateway's panel shows, in a person's name. Returns null when it was
 * accepted, otherwise the text of the last response.
 */
export function say(
  visitor: Visitor,
  operation: Operation,
  claim: Claim,
  place?: Place,
): Promise<string | null> {
  const fields = {
    id: operation.id,
    claim,
    reason: 'Compared with the panel',
    reference: 'Ticket 4711',
  };
  return press(visitor, {
    action: 'submitMovementStatement',
    path: pageOf(operation, place),
    fields,
  });
}

/**
 * Presses a button whose action answers with a message. A press is repeated at the other web: an
 * answer may be lost, and a claim requires a recent check by the worker. Returns null when it was
 * accepted, otherwise the text of the last response.
 */
export async function press(
  visitor: Visitor,
  button: Pick<Form, 'action' | 'path' | 'fields'>,
  presses = PRESSES,
): Promise<string | null> {
  const form: Form = {
    ...button,
    hasState: true,
    isTaken: ({ text }) => text.includes('"ok":true'),
  };
  for (let tries = 1; ; tries += 1) {
    turn += 1;
    const { origins } = visitor;
    const answer = await send(visitor, form, origins[turn % origins.length]!, ANSWER_MS);
    if (form.isTaken(answer)) return null;
    if (tries >= presses) return `${answer.status} ${answer.text.slice(-300)}`;
    await pause(PRESS_AGAIN_MS);
  }
}

/**
 * The operation's page at each of the two webs: the amount and state of a payout, the whole text of
 * an order or plan.
 */
export async function shown(
  { cookie, origins }: Visitor,
  operation: Operation,
  place?: Place,
): Promise<string[]> {
  const path = pageOf(operation, place);
  return Promise.all(
    origins.map(async (origin) => {
      const answer = await fetch(`${origin}${path}`, {
        headers: { cookie },
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const page = (await answer.text()).replace(/<script.*?<\/script>/gs, '');
      if (!path.startsWith('/payouts/'))
        return answer.status === 200 ? textOf(page) : `no page, ${answer.status}`;
      // The state is followed by a link to the help page.
      const head = /<article.*?<h1[^>]*>(?<amount>.*?)<\/h1>(?<state>.*?)<(?:a |\/div>)/s.exec(
        page,
      )?.groups;
      return head === undefined
        ? `no payout, ${answer.status}`
        : `${textOf(head['amount']!)} ${textOf(head['state']!)}`;
    }),
  );
}

function pageOf(operation: Operation, place: Place | undefined): string {
  if (!('invoice' in operation)) return `/payouts/${operation.id}`;
  return operation.kind === 'plan_charge'
    ? `/cards/recurring/${place!.planId}`
    : `/cards/payments/${place!.paymentId}`;
}

function formOf(operation: Operation, place: Place | undefined): Form {
  switch (operation.kind) {
    case 'payout':
    case 'card_balance_payout':
      return payoutForm(operation);
    case 'plan_charge':
      return chargeForm(operation, place!.planId!);
    case 'capture':
    case 'void':
    case 'refund':
      return cardForm(operation, operation.kind, place!.paymentId);
  }
}

function payoutForm({ kind, id, payee, amountMinor }: Payment): Form {
  const source: Record<string, string> =
    kind === 'payout'
      ? { wallet: WALLET, paymentType: COMMERCIAL }
      : { wallet: CARD_BALANCE, phone: PHONE };
  const { iban, name, taxNumber } = payee;
  return {
    action: 'sendPayout',
    path: '/payouts/new',
    hasState: false,
    fields: {
      id,
      locale: 'en',
      iban,
      name,
      taxNumber,
      amount: decimal(amountMinor),
      description: `Invoice ${id.slice(0, 8)}`,
      ...source,
    },
    isTaken: ({ redirect }) => redirect.includes(`/payouts/${id}`),
  };
}

const CARD_ACTIONS = {
  capture: 'capturePayment',
  void: 'releasePayment',
  refund: 'refundPayment',
} as const;

function cardForm(
  { id, amountMinor }: OrderOperation,
  kind: keyof typeof CARD_ACTIONS,
  paymentId: string,
): Form {
  const fields = {
    id,
    paymentId,
    ...(kind === 'void' ? {} : { amount: decimal(amountMinor) }),
    ...(kind === 'capture' ? {} : { reason: 'Returned by the buyer' }),
  };
  return {
    action: CARD_ACTIONS[kind],
    path: `/cards/payments/${paymentId}`,
    hasState: false,
    fields,
    isTaken: ({ text }) => text.includes('"kind":"started"'),
  };
}

/** The form for the plan's second charge: its first one was the sale. */
function chargeForm({ id, amountMinor }: OrderOperation, planId: string): Form {
  const repeated = word('en', 'refusals', 'plan_charge_repeated');
  return {
    action: 'chargePlanNow',
    path: `/cards/recurring/${planId}`,
    hasState: true,
    fields: { id, plan: planId, number: '2', taken: '1', amount: decimal(amountMinor) },
    isTaken: ({ text }) => text.includes('"ok":true') || text.includes(repeated),
  };
}

function decimal(amountMinor: number): string {
  return (amountMinor / 100).toFixed(2);
}

function cookieOf(jar: Map<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The text of a piece of HTML. */
function textOf(html: string): string {
  const entities = { '&nbsp;': ' ', '&#x27;': "'", '&quot;': '"', '&amp;': '&' };
  const words = html.replace(/<!--.*?-->|<[^>]+>/gs, '');
  return Object.entries(entities)
    .reduce((text, [entity, character]) => text.replaceAll(entity, character), words)
    .trim();
}
