import 'server-only';
import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { LOCALES } from '#lib/values/locale.ts';
import type { Locale } from '#lib/values/locale.ts';
import { env } from './env.ts';
import { MESSAGES } from './messages.ts';
import { cookieName } from './workspace.ts';

export const LOCALE_COOKIE = 'locale';
export const THEME_COOKIE = 'theme';

/** The person's choice, else the browser's preference, else Turkish. */
export async function resolveLocale(): Promise<Locale> {
  const chosen = (await cookies()).get(cookieName(LOCALE_COOKIE))?.value;
  if (isLocale(chosen)) return chosen;
  const wanted =
    (await headers())
      .get('accept-language')
      ?.split(',')
      .map((part) => part.trim().slice(0, 2).toLowerCase()) ?? [];
  return wanted.find(isLocale) ?? 'tr';
}

export type Theme = 'system' | 'light' | 'dark';

export async function resolveTheme(): Promise<Theme> {
  const chosen = (await cookies()).get(cookieName(THEME_COOKIE))?.value;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

function isLocale(text: string | undefined): text is Locale {
  return LOCALES.some((locale) => locale === text);
}

export default getRequestConfig(async () => {
  const locale = await resolveLocale();
  return { locale, messages: MESSAGES[locale], timeZone: env().timeZone };
});
