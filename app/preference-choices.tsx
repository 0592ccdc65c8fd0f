import { cookies } from 'next/headers';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { choosePreference } from '#app/preferences.ts';
import { resolveTheme } from '#lib/runtime/i18n.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { cookieName } from '#lib/runtime/workspace.ts';

const NAMES = { tr: 'Türkçe', en: 'English' };
const THEMES = ['system', 'light', 'dark'] as const;
const GROUP = 'inline-flex w-fit gap-0.5 rounded-control bg-draft-ground p-0.5';
const CHOICE =
  'min-h-7 rounded-[4px] px-2.5 text-label font-medium text-muted hover:text-ink ' +
  'pointer-coarse:min-h-10 aria-pressed:bg-surface aria-pressed:text-ink ' +
  'aria-pressed:shadow-[0_0_0_1px_var(--hairline)]';

/** Plain forms that work before any script has loaded. The page and what is typed in it stay. */
export async function LanguageChoice(): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const locale = await getLocale();
  return (
    <form action={choosePreference} aria-label={t('language')} className={GROUP}>
      {LOCALES.map((one) => (
        <button
          key={one}
          name="locale"
          value={one}
          lang={one}
          aria-pressed={one === locale}
          className={CHOICE}
        >
          {NAMES[one]}
        </button>
      ))}
    </form>
  );
}

export async function ThemeChoice(): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const theme = await resolveTheme();
  return (
    <form action={choosePreference} aria-label={t('theme')} className={GROUP}>
      {THEMES.map((one) => (
        <button key={one} name="theme" value={one} aria-pressed={one === theme} className={CHOICE}>
          {t(`themes.${one}`)}
        </button>
      ))}
    </form>
  );
}

export async function ShortcutsChoice(): Promise<ReactNode> {
  const t = await getTranslations('settings.browser');
  const chosen = (await cookies()).get(cookieName('shortcuts'))?.value === 'off' ? 'off' : 'on';
  return (
    <form action={choosePreference} aria-label={t('shortcuts')} className={GROUP}>
      {(['on', 'off'] as const).map((one) => (
        <button
          key={one}
          name="shortcuts"
          value={one}
          aria-pressed={one === chosen}
          className={CHOICE}
        >
          {t(one)}
        </button>
      ))}
    </form>
  );
}
