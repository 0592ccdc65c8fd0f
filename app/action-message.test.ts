import { expect, it, vi } from 'vitest';
import { messageOf } from './action-message.ts';

vi.mock('next-intl/server', () => ({ getTranslations: async () => (code: string) => code }));

it.each([
  ['step_up_code_wrong', true],
  ['step_up_unavailable', true],
  ['step_up_expired', false],
  ['step_up_refused', false],
  ['too_many', false],
] as const)('the refusal %s lets the same code be typed again: %s', async (code, retype) => {
  const message = await messageOf({ kind: 'refused', code, params: {} });
  expect([message.text, message.retype === true]).toEqual([code, retype]);
});
