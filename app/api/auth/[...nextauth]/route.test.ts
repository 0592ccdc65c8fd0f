import type { NextRequest } from 'next/server';
import { expect, it, vi } from 'vitest';

/** What reaches next-auth, which throws on a body that it does not expect. */

const nextAuth = vi.fn<() => Promise<Response>>(async () => Response.json({ url: '/' }));

vi.mock('next-auth', () => ({ default: nextAuth }));
vi.mock('#lib/login/next-auth.ts', () => ({ authOptions: () => ({}) }));
vi.mock('#lib/runtime/origin.ts', () => ({ fromOwnOrigin: async () => true }));
const { POST } = await import('./route.ts');

const post = (body: string, type: string): Promise<Response> =>
  POST(
    new Request('https://desk.test/api/auth/callback/credentials', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    }) as NextRequest,
    { params: Promise.resolve({ nextauth: ['callback', 'credentials'] }) },
  );

it.each([
  '{"code":',
  'null',
  '[]',
  '"x"',
  '5',
  '{"code":{"a":1}}',
  '{"callbackUrl":{"a":1},"code":"123456"}',
  '{"csrfToken":["x"]}',
])('the JSON %s is refused before next-auth reads it', async (body) => {
  expect((await post(body, 'application/json')).status).toBe(400);
  expect(nextAuth).not.toHaveBeenCalled();
});

it('a form, and the same fields as JSON, reach next-auth', async () => {
  expect((await post('code=123456', 'application/x-www-form-urlencoded')).status).toBe(200);
  expect((await post('{"code":"123456"}', 'application/json')).status).toBe(200);
  expect(nextAuth).toHaveBeenCalledTimes(2);
});
