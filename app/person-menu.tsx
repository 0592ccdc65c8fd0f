import { __iconData as chevronDown } from 'lucide-react/icons/chevron-down';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LanguageChoice, ThemeChoice } from '#app/preference-choices.tsx';
import { SignOutButton } from '#app/sign-out-button.tsx';
import { drawn } from '#components/ui/icon.tsx';
import type { Person } from '#lib/access/actor.ts';

const ChevronDown = drawn(chevronDown);

const MENU =
  'inset-auto top-13 right-4 m-0 w-72 rounded-panel border border-hairline bg-surface p-4 ' +
  'text-ink shadow-float sm:right-6';

const BUTTON =
  'flex min-h-9 items-center gap-2 rounded-control px-[min(0.5rem,2vw)] hover:bg-draft-ground ' +
  'pointer-coarse:min-h-11';

/**
 * The signed-in person, language, theme, and the sign-out. A native popover: Esc and a press
 * elsewhere close it.
 */
export async function PersonMenu({ person }: { person: Person }): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const initials = person.name
    .split(/\s+/)
    .map((part) => part[0])
    .join('')
    .slice(0, 2);
  return (
    <div>
      <button type="button" popoverTarget="person-menu" className={BUTTON}>
        <span className="sr-only">{t('person')}: </span>
        <span
          aria-hidden
          className="grid size-7 place-items-center rounded-full bg-draft-ground text-label font-semibold text-muted"
        >
          {initials}
        </span>
        <span className="font-medium max-sm:sr-only">{person.name}</span>
        <span className="text-label text-muted max-sm:sr-only">{t(`roles.${person.role}`)}</span>
        <ChevronDown aria-hidden className="size-3.5 text-muted max-[26rem]:hidden" />
      </button>
      <div id="person-menu" popover="auto" className={MENU}>
        <div className="grid gap-4">
          <div>
            <p className="font-semibold">{person.name}</p>
            <p className="text-label break-words text-muted">
              {person.email} · {t(`roles.${person.role}`)}
            </p>
          </div>
          <div className="grid gap-1">
            <p className="text-label font-medium text-muted">{t('language')}</p>
            <LanguageChoice />
          </div>
          <div className="grid gap-1">
            <p className="text-label font-medium text-muted">{t('theme')}</p>
            <ThemeChoice />
          </div>
          <SignOutButton
            className="w-full"
            words={{
              failed: t('signOutFailed'),
              unreached: t('signOutUnreached'),
              signIn: t('signInAgain'),
            }}
          >
            {t('signOut')}
          </SignOutButton>
        </div>
      </div>
    </div>
  );
}
