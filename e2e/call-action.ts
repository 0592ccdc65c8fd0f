import { BASE_URL } from './surroundings.ts';

/** Arguments of a server action: plain values, or a form after a previous state. */
export type Call = { args: unknown[] } | { form: Record<string, string>; hasState: boolean };
type Headers = Record<string, string>;

/** Calls an action without its page, with a browser's headers. */
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

/** The session cookie of a desk, for requests outside a browser. */
export async function cookieOf({
  context,
}: {
  context: { cookies(): Promise<{ name: string; value: string }[]> };
}): Promise<string> {
  const sid = (await context.cookies()).find(({ name }) => name === 'sid');
  return `sid=${sid!.value}`;
}
