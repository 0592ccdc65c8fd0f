import { expect, test } from 'vitest';
import { judge } from './audit.ts';

test('a registry that does not answer is not taken for a clean bill', () => {
  for (const silence of [
    '',
    'not JSON',
    '{}',
    '{"error":{"code":"ENOAUDIT"}}',
    '{"message":"not found","statusCode":404}',
  ])
    expect(judge(silence).code, silence).toBe(2);
});

test('a known fault is named, and none is called none', () => {
  expect(judge('{"vulnerabilities":{},"metadata":{"vulnerabilities":{"total":0}}}').code).toBe(0);
  const bad = judge(
    '{"vulnerabilities":{"next":{"severity":"critical","range":"<16.4.7"}},"metadata":{"vulnerabilities":{"total":1}}}',
  );
  expect(bad).toEqual({
    code: 1,
    lines: ['critical: next <16.4.7', expect.stringContaining('48 hours')],
  });
});
