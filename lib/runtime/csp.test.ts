import { expect, test } from 'vitest';
import { contentSecurityPolicy } from './csp.ts';

test('in production nothing inline and nothing evaluated runs without the nonce of its response', () => {
  const policy = contentSecurityPolicy('bm9uY2U=', false);
  expect(policy).toContain("script-src 'nonce-bm9uY2U=' 'strict-dynamic'");
  expect(policy).not.toMatch(/unsafe-|https?:|\*/);
});

test('what is not named is forbidden, and nobody may frame us or move our base', () => {
  const directives = contentSecurityPolicy('bm9uY2U=', false).split('; ');
  for (const one of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ])
    expect(directives).toContain(one);
});

test('a form of one page may be posted to the one origin that is named for it, and to nothing else', () => {
  expect(contentSecurityPolicy('bm9uY2U=', false, 'https://gateway.test').split('; ')).toContain(
    "form-action 'self' https://gateway.test",
  );
  expect(contentSecurityPolicy('bm9uY2U=', false).split('; ')).toContain("form-action 'self'");
});
