'use server';

import { cookies } from 'next/headers';
import { LOCALE_COOKIE, THEME_COOKIE } from '#lib/runtime/i18n.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { fromOwnOrigin } from '#lib/runtime/origin.ts';
import { cookieName, workspace } from '#lib/runtime/workspace.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const SHORTCUTS_COOKIE = 'shortcuts';
const SIDEBAR_COOKIE = 'sidebar';
const THEMES = ['system', 'light', 'dark'];

/**
 * Language, theme, shortcuts and the width of the menu belong to this browser: plain cookies, no
 * account needed.
 */
export async function choosePreference(form: FormData): Promise<void> {
  // Anybody can send anything in place of the form.
  if (!((form as unknown) instanceof FormData) || !(await fromOwnOrigin())) return;
  const jar = await cookies();
  const options = {
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: 'lax',
    secure: workspace().secure,
  } as const;
  const locale = form.get('locale');
  const theme = form.get('theme');
  const shortcuts = form.get('shortcuts');
  if (LOCALES.some((one) => one === locale))
    jar.set(cookieName(LOCALE_COOKIE), String(locale), { ...options, httpOnly: true });
  if (THEMES.includes(String(theme)))
    jar.set(cookieName(THEME_COOKIE), String(theme), { ...options, httpOnly: true });
  if (shortcuts === 'on' || shortcuts === 'off')
    jar.set(cookieName(SHORTCUTS_COOKIE), shortcuts, options);
  const sidebar = form.get('sidebar');
  if (sidebar === 'wide' || sidebar === 'narrow')
    jar.set(cookieName(SIDEBAR_COOKIE), sidebar, { ...options, httpOnly: true });
}
