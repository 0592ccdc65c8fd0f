import { BASE_URL } from './surroundings.ts';

/**
 * What a browser sends to call a server action: text, or a form after the state that was there
 * before.
 */
export type Call = { args: unknown[] } | { form: Record<string, string>; hasState: boolean };
type Headers = Record<string, string>;

/** A call of an action without its page, as a browser makes it. */
export async function callAction(id: string, call: Call, headers: Headers): Promise<Response> {
  const init = { method: 'POST', redirect: 'manual' as const };
  if ('args' in call)
    return fetch(`${BASE_URL}/payouts`, {
      ...init,
      headers: { ...headers, 'next-action': id, 'content-type': 'text/plain;charset=UTF-8' },
      body: JSON.stringify(call.args),
    });
  const body = new FormData();
  for (const [name, value] of Object.entries(call.form)) body.append(`_1_${name}`, value);
  body.append('0', call.hasState ? '[null,"$K1"]' : '["$K1"]');
  return fetch(`${BASE_URL}/payouts`, {
    ...init,
    headers: { ...headers, 'next-action': id },
    body,
  });
}

/** The cookies of a desk, for requests that no browser makes. */
export async function cookieOf({
  context,
}: {
  context: { cookies(): Promise<{ name: string; value: string }[]> };
}): Promise<string> {
  const sid = (await context.cookies()).find(({ name }) => name === 'sid');
  return `sid=${sid!.value}`;
}
