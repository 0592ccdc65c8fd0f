import { __iconData as chevronDown } from 'lucide-react/icons/chevron-down';
import { __iconData as menuIcon } from 'lucide-react/icons/menu';
import { __iconData as panelLeft } from 'lucide-react/icons/panel-left';
import { cookies } from 'next/headers';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import {
  PageFoot,
  SearchBox,
  Shortcuts,
  StatusBand,
  WaitingFollower,
} from '#app/frame-islands.tsx';
import { Bell } from '#app/bell.tsx';
import { loginWords } from '#app/login/login-words.ts';
import { navigationOf } from '#app/navigation.ts';
import type { NavGroup as MenuGroup, NavItem } from '#app/navigation.ts';
import { PersonMenu } from '#app/person-menu.tsx';
import { choosePreference } from '#app/preferences.ts';
import { keyWords } from '#app/key-words.ts';
import { countWaiting } from '#app/waiting.ts';
import { Mark } from '#components/mark.tsx';
import { LazyPopover } from '#components/lazy-popover.tsx';
import { drawn } from '#components/ui/icon.tsx';
import { NavGroup } from '#components/nav-group.tsx';
import { NavLink } from '#components/nav-link.tsx';
import { OfflinePage } from '#components/offline-page.tsx';
import { PrintHead } from '#components/print-head.tsx';
import { SkipLink } from '#components/skip-link.tsx';
import { Link } from '#components/ui/link.tsx';
import { WaitingCount } from '#components/waiting-count.tsx';
import type { Waiting } from '#components/waiting-count.tsx';
import type { Person } from '#lib/access/actor.ts';
import { mostSevere } from '#lib/send-control/stops.ts';
import type { Cause } from '#lib/send-control/stops.ts';
import { causesOfStop, pageSnapshot } from '#lib/login/session.ts';
import { cookieName, workspace } from '#lib/runtime/workspace.ts';
import type { Locale } from '#lib/values/locale.ts';
import { merchantNameIfKnown } from '#lib/wallets/merchant-name.ts';

const ChevronDown = drawn(chevronDown);
const MenuIcon = drawn(menuIcon);
const PanelLeft = drawn(panelLeft);

/** The groups of the menu that this browser folds. */
const FOLDED = 'folded';

type Menu = { groups: readonly MenuGroup[]; counts: Waiting };

const FRAME =
  'frame group/frame grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] ' +
  'max-lg:pb-[calc(3.5rem+1px+env(safe-area-inset-bottom))] print:pb-0 ' +
  'lg:grid-cols-[14.5rem_minmax(0,1fr)] ' +
  'lg:data-[sidebar=narrow]:grid-cols-[3.5rem_minmax(0,1fr)] print:block';

/** The frame of a signed-in page: top bar, navigation, status band, time zone. */
export async function Frame({
  person,
  children,
}: {
  person: Person;
  children: ReactNode;
}): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const jar = await cookies();
  const menu = { groups: navigationOf(person), counts: await countWaiting(person) };
  const narrow = jar.get(cookieName('sidebar'))?.value === 'narrow';
  return (
    <div data-sidebar={narrow ? 'narrow' : 'wide'} className={FRAME}>
      <SkipLink to="content">{t('skip')}</SkipLink>
      <OfflinePage />
      <TopBar person={person} counts={menu.counts} />
      <SideBar menu={menu} narrow={narrow} />
      <div className="page flex min-w-0 flex-col">
        {workspace().testMode && (
          <p className="hidden border-b-3 border-test px-4 pb-1 font-semibold print:block">
            {t('test')} · {t('testHint')}
          </p>
        )}
        <PrintHead
          merchant={merchantNameIfKnown()}
          product={t('product')}
          printed={t('printed')}
          locale={(await getLocale()) as Locale}
          zone={workspace().timeZone}
        />
        <main id="content" tabIndex={-1} className="flex-1 px-4 py-5 outline-none sm:px-6">
          <div className="mx-auto grid max-w-[80rem] grid-cols-[minmax(0,1fr)] gap-5">
            {children}
          </div>
        </main>
        <PageFoot>
          <p className="mx-auto max-w-[80rem]">{t('zone', { zone: workspace().timeZone })}</p>
        </PageFoot>
        <StatusBand
          stopped={mostSevere((await causesOfStop()).map((cause) => ({ cause })))?.cause ?? null}
          stopWords={
            (await getTranslations('sending')).raw('band') as Record<Cause | 'see', string>
          }
          words={
            t.raw('status') as Record<
              | 'ended'
              | 'disabled'
              | 'signIn'
              | 'unreachable'
              | 'database'
              | 'readOnly'
              | 'worker'
              | 'provider',
              string
            >
          }
          loginWords={await loginWords()}
        />
      </div>
      <PhoneBar menu={menu} />
      <span id="drawn" hidden />
      <WaitingFollower drawn={menu.counts} since={await pageSnapshot()} />
      <Shortcuts on={jar.get(cookieName('shortcuts'))?.value !== 'off'} words={await keyWords()} />
    </div>
  );
}

/** With text of twice the size the bar still fits a phone: its gaps and buttons grow no further. */
const TOP_BAR_LINE =
  'flex h-full items-center gap-[min(0.5rem,2vw)] px-[min(1rem,4vw)] sm:gap-3 sm:px-6 lg:px-5';

const TOP_BAR = 'no-print sticky top-0 z-30 col-span-full h-12 bg-surface';

async function TopBar({ person, counts }: { person: Person; counts: Waiting }): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const { testMode } = workspace();
  return (
    <header
      className={`${TOP_BAR} ${testMode ? 'shadow-[inset_0_-3px_0_var(--color-test)]' : 'border-b border-hairline'}`}
    >
      <div className={TOP_BAR_LINE}>
        <Link href="/" className="flex items-center gap-2.5 text-section">
          <Mark />
          {/* On a narrow phone the mark stands for the name: with it the bar would be too wide. */}
          <span className="max-[26rem]:sr-only">{t('product')}</span>
        </Link>
        {testMode && (
          <span
            title={t('testHint')}
            className="rounded-full bg-attention-ground px-2 py-0.5 text-label font-semibold text-attention"
          >
            {t('test')}
          </span>
        )}
        <div className="flex min-w-0 flex-1 justify-end lg:justify-center">
          <SearchBox
            owner={person.personId}
            words={{
              open: (await getTranslations('search'))('open'),
              label: (await getTranslations('search'))('label'),
              unreachable: (await getTranslations('search'))('unreachable'),
            }}
          />
        </div>
        <div className="flex shrink-0 items-center gap-1">
          <Bell counts={counts} />
          <PersonMenu person={person} />
        </div>
      </div>
      <i aria-hidden className="way" />
    </header>
  );
}

const SIDEBAR =
  'sticky top-12 hidden h-[calc(100dvh-3rem)] flex-col gap-0.5 overflow-y-auto border-r ' +
  'border-hairline bg-surface p-2.5 lg:flex';

const WIDTH_BUTTON =
  'flex min-h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-label font-medium ' +
  'text-muted hover:bg-raised hover:text-ink';

const GROUP_TITLE =
  'mt-2 flex min-h-8 cursor-pointer list-none items-center gap-2 rounded-control px-2.5 text-label ' +
  'font-semibold text-muted select-none hover:text-ink [&::-webkit-details-marker]:hidden';

async function SideBar({ menu, narrow }: { menu: Menu; narrow: boolean }): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const folded = (await cookies()).get(cookieName(FOLDED))?.value.split('.') ?? [];
  return (
    <nav aria-label={t('navigation')} className={SIDEBAR}>
      {menu.groups.map(({ name, items }) =>
        name === null || narrow ? (
          <div
            key={name ?? 'first'}
            className={
              name === null ? 'grid gap-0.5' : 'mt-1 grid gap-0.5 border-t border-hairline pt-1'
            }
          >
            <NavItems items={items} menu={menu} bar="side" />
          </div>
        ) : (
          <NavGroup
            key={name}
            name={name}
            cookie={cookieName(FOLDED)}
            folded={folded.includes(name)}
            hrefs={items.map(({ href }) => href)}
            title={
              <summary className={GROUP_TITLE}>
                <span className="flex-1">{t(`groups.${name}`)}</span>
                <ChevronDown
                  aria-hidden
                  className="size-3.5 -rotate-90 transition-transform group-open/nav:rotate-0"
                />
              </summary>
            }
          >
            <NavItems items={items} menu={menu} bar="side" />
          </NavGroup>
        ),
      )}
      <form action={choosePreference} className="mt-auto pt-2">
        <button
          name="sidebar"
          value={narrow ? 'wide' : 'narrow'}
          title={t(narrow ? 'widen' : 'narrow')}
          className={WIDTH_BUTTON}
        >
          <PanelLeft aria-hidden className="size-4 shrink-0" />
          <span className="group-data-[sidebar=narrow]/frame:sr-only">
            {t(narrow ? 'widen' : 'narrow')}
          </span>
        </button>
      </form>
    </nav>
  );
}

/** `bar`: the menu is drawn twice, and each count needs an id of its own. */
async function NavItems({
  items,
  menu,
  bar,
  stacked = false,
}: {
  items: readonly NavItem[];
  menu: Menu;
  bar: 'side' | 'bottom' | 'sheet';
  stacked?: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const words = t.raw('waiting') as string;
  const hrefs = menu.groups.flatMap((group) => group.items.map(({ href }) => href));
  return items.map(({ href, name, icon: Icon, whole, waiting }) => {
    const countId = waiting && `${bar}-${waiting}`;
    return (
      <NavLink
        key={href}
        href={href}
        not={hrefs.filter((other) => other.startsWith(`${href}/`))}
        whole={whole === true}
        title={stacked ? undefined : t(`items.${name}`)}
        describedBy={countId}
        stacked={stacked}
      >
        <Icon aria-hidden />
        <span>{t(`items.${name}`)}</span>
        {waiting && !stacked && (
          <WaitingCount id={countId!} of={waiting} drawn={menu.counts} words={words} />
        )}
      </NavLink>
    );
  });
}

/** One row of icons and one of names, so that a name of two lines moves no icon. */
const PHONE_BAR =
  'fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col gap-y-0.5 border-t border-hairline ' +
  'min-h-[calc(3.5rem+1px+env(safe-area-inset-bottom))] bg-surface ' +
  'grid-rows-[minmax(1.625rem,1fr)_minmax(1.5rem,auto)] pb-[env(safe-area-inset-bottom)] lg:hidden';

const MORE_BUTTON =
  'row-span-2 grid grid-rows-subgrid justify-items-center text-[11px] font-medium text-muted ' +
  'hover:text-ink';

const MORE_SHEET =
  'inset-x-0 top-auto bottom-0 m-0 max-h-[85dvh] w-full max-w-none overflow-y-auto rounded-t-panel border-t ' +
  'border-hairline bg-surface p-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] text-ink ' +
  'shadow-float backdrop:bg-black/40';

/**
 * The bar below 1024 px: the daily pages within reach of the thumb, the rest in a sheet. The frame
 * keeps the bar's height free at the end of the page.
 */
async function PhoneBar({ menu }: { menu: Menu }): Promise<ReactNode> {
  const t = await getTranslations('shell');
  const all = menu.groups.flatMap(({ items }) => items);
  return (
    <nav aria-label={t('navigation')} className={PHONE_BAR}>
      <NavItems
        items={all.filter(({ daily }) => daily === true)}
        menu={menu}
        bar="bottom"
        stacked
      />
      <button type="button" popoverTarget="more-places" className={MORE_BUTTON}>
        <MenuIcon aria-hidden className="size-5 self-end" />
        <span className="leading-tight">{t('menu')}</span>
      </button>
      <LazyPopover id="more-places" className={MORE_SHEET}>
        <div className="grid grid-cols-2 gap-x-2">
          {menu.groups
            .filter(({ name }) => name !== null)
            .map(({ name, items }) => (
              <section
                key={name}
                aria-label={t(`groups.${name!}`)}
                className="mb-2 grid content-start gap-0.5"
              >
                <p className="px-2.5 text-label font-semibold text-muted">{t(`groups.${name!}`)}</p>
                <NavItems items={items} menu={menu} bar="sheet" />
              </section>
            ))}
        </div>
      </LazyPopover>
    </nav>
  );
}
