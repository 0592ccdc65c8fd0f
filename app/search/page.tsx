import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { understand } from '#lib/readings/understand.ts';
import { signedIn } from '#lib/login/session.ts';
import { HitLine } from './hit-line.tsx';
import { SampleList } from './sample-list.tsx';
import { SearchForm } from './search-form.tsx';
import { viewProviderSearch, viewSearch } from './search-view.ts';
import type { SearchView } from './search-view.ts';
import type { ShownGroup } from './shown-hits.ts';
import { searchWords } from './search-words.ts';

type Answer = { message: string; groups: ShownGroup[] };
type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('search'))('title') };
}

const INPUT =
  'h-10 min-w-0 flex-1 rounded-control border border-control bg-surface px-3 text-body ' +
  'placeholder:text-subtle pointer-coarse:h-11 pointer-coarse:text-[16px]';

/** The search as a page: it can be linked and bookmarked, and needs no script. */
export default async function SearchPage({ searchParams }: Props): Promise<ReactNode> {
  const person = await signedIn();
  const params = await searchParams;
  const given = typeof params.q === 'string' ? params.q : '';
  // A card number must not stay in an address, nor in the browser's history.
  if (understand(given).kind === 'card') redirect('/search?card=1');
  const t = await getTranslations('search');
  const [view, words] = [await viewSearch(person, given), await searchWords()];
  const found = view.groups.filter((group) => group.name !== 'actions');
  const pressed =
    view.canAsk && params.at === 'provider' ? await askedProvider(person, view.text) : null;
  return (
    <>
      <PageHead title={t('title')} />
      <SearchForm label={t('label')} card={t('card')}>
        <input
          type="search"
          name="q"
          defaultValue={view.text}
          aria-label={t('label')}
          placeholder={t('placeholder')}
          maxLength={400}
          autoComplete="off"
          autoFocus={view.text === ''}
          data-shortcut="filter"
          enterKeyHint="search"
          className={INPUT}
        />
        <Button type="submit" look="primary">
          {t('open')}
        </Button>
      </SearchForm>
      {params.card === '1' && <Banner tone="attention">{t('card')}</Banner>}
      {view.text === '' ? (
        <Examples words={words} />
      ) : (
        <>
          <p role="status" className="text-muted">
            {view.message}
            {view.note === '' ? '' : ` · ${view.note}`} ·{' '}
            {view.count === 0 ? t('none') : t('count', { count: view.count })}
          </p>
          {found.map((group) => (
            <Group key={group.name} group={group} all={t('all')} />
          ))}
          <AtProvider person={person} view={view} pressed={pressed} />
        </>
      )}
      {view.groups
        .filter((group) => group.name === 'actions')
        .map((group) => (
          <Group key={group.name} group={group} all={t('all')} />
        ))}
    </>
  );
}

/**
 * Hits in the provider's records: of the pressed button, of an automatic query, or the button that
 * starts a query.
 */
async function AtProvider({
  person,
  view,
  pressed,
}: {
  person: Person;
  view: SearchView;
  pressed: Answer | null;
}): Promise<ReactNode> {
  const t = await getTranslations('search');
  const ask = `/search?q=${encodeURIComponent(view.text)}&at=provider`;
  return (
    <>
      {/* Results of a button press are awaited; automatic queries stream in later, where
          scripts can place them. */}
      {pressed !== null && <Answered {...pressed} all={t('all')} />}
      {pressed === null && view.canAsk && view.count === 0 && (
        <Suspense
          fallback={
            <p role="status" className="text-muted">
              {t('asking')}
            </p>
          }
        >
          <FromProvider person={person} text={view.text} />
        </Suspense>
      )}
      {pressed === null &&
        view.canAsk &&
        (view.count > 0 ? (
          <AskLink href={ask}>{t('askProvider')}</AskLink>
        ) : (
          <noscript>
            <AskLink href={ask}>{t('askProvider')}</AskLink>
          </noscript>
        ))}
    </>
  );
}

function AskLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <LinkButton href={href} prefetch={false}>
        {children}
      </LinkButton>
    </div>
  );
}

async function FromProvider({
  person,
  text,
}: {
  person: Person;
  text: string;
}): Promise<ReactNode> {
  const t = await getTranslations('search');
  return <Answered {...await askedProvider(person, text)} all={t('all')} />;
}

async function askedProvider(person: Person, text: string): Promise<Answer> {
  const t = await getTranslations('search');
  return viewProviderSearch(person, text).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'too_many') throw error;
    return { message: t('tooMany', { seconds: error.params.seconds ?? 0 }), groups: [] };
  });
}

function Answered({ message, groups, all }: Answer & { all: string }): ReactNode {
  return (
    <>
      <p role="status" className="text-muted">
        {message}
      </p>
      {groups.map((group) => (
        <Group key={group.name} group={group} all={all} />
      ))}
    </>
  );
}

function Group({ group, all }: { group: ShownGroup; all: string }): ReactNode {
  return (
    <Panel
      title={group.title}
      aside={
        group.all === null ? undefined : (
          <Link href={group.all} className="text-label text-accent underline underline-offset-2">
            {all}
          </Link>
        )
      }
    >
      <ul>
        {group.hits.map((hit) => (
          <li key={hit.id} className="border-t border-hairline first:border-t-0">
            {hit.href === null ? (
              <div className="flex items-center gap-3 px-4 py-2">
                <HitLine hit={hit} />
              </div>
            ) : (
              <Link
                href={hit.href}
                data-row-link
                className="flex items-center gap-3 px-4 py-2 hover:bg-raised pointer-coarse:min-h-11"
              >
                <HitLine hit={hit} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Examples({ words }: { words: Awaited<ReturnType<typeof searchWords>> }): ReactNode {
  return (
    <Panel title={words.empty.title}>
      <p className="px-4 pt-3 text-muted">{words.empty.text}</p>
      <SampleList samples={words.empty.samples} className="gap-x-8 gap-y-1.5 px-4 py-3" />
    </Panel>
  );
}
