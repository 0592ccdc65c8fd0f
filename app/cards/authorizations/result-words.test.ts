import { expect, it, vi } from 'vitest';
import { useResultWords } from './result-words.ts';

vi.mock('next-intl', () => ({
  useTranslations: (space: string) => (key: string, values?: object) =>
    `${space}.${key}${values === undefined ? '' : JSON.stringify(values)}`,
}));
vi.mock('#app/cards/operations/actions.ts', () => ({}));

it('says of a fault in a bulk what the button to ask again says: nobody knows whether it has begun', () => {
  const words = useResultWords();
  expect(words({ kind: 'unclear' })).toBe('cardDialogs.bulk.unclear');
  expect(words({ kind: 'failed', errorId: 'E-7' })).toBe(
    'cardDialogs.bulk.failed{"errorId":"E-7"}',
  );
  expect(words({ kind: 'stopped', why: 'lapsed' })).toBe('cardDialogs.stops.lapsed');
  expect(words({ kind: 'signed_out' })).toBe('refusals.signed_out');
});
