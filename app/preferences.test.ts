import { expect, it, vi } from 'vitest';

/** The form of language, theme, shortcuts and menu, which needs no session. */

const set = vi.fn<() => void>();
vi.mock('#lib/runtime/i18n.ts', () => ({ LOCALE_COOKIE: 'locale', THEME_COOKIE: 'theme' }));
vi.mock('next/headers', () => ({ cookies: async () => ({ set }) }));
vi.mock('#lib/runtime/origin.ts', () => ({ fromOwnOrigin: async () => true }));
vi.mock('#lib/runtime/workspace.ts', () => ({
  cookieName: (name: string) => name,
  workspace: () => ({ secure: true }),
}));
const { choosePreference } = await import('./preferences.ts');

it('a request whose argument is no form is answered without an error, and sets nothing', async () => {
  for (const argument of [undefined, null, 'dark', {}, { get: 'dark' }, ['dark']])
    await expect(choosePreference(argument as never)).resolves.toBeUndefined();
  expect(set).not.toHaveBeenCalled();
  const form = new FormData();
  form.set('theme', 'dark');
  await choosePreference(form);
  expect(set).toHaveBeenCalledOnce();
});
