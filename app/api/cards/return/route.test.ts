import { expect, it, vi } from 'vitest';

/** The return of the browser from the gateway, by POST. */

vi.mock('#lib/cards/checkout/take-return.ts', () => ({ takeReturn: vi.fn<() => void>() }));
vi.mock('#lib/access/merchant.ts', () => ({ merchantId: () => 'merchant' }));
const { POST } = await import('./route.ts');

it('a return whose body breaks off shows the register, as one without fields does', async () => {
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error('aborted')),
  });
  const answer = await POST(
    new Request('http://desk.test/api/cards/return', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '20' },
      body,
      duplex: 'half',
    } as RequestInit),
  );
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/cards/payments']);
});
