import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Profile } from '#lib/exports/profile.ts';
import { ExportForm } from './export-form.tsx';

/**
 * The file's contents before it is requested: the filter as sentences (none: everything), the
 * number of rows, the list's own sums (`children`), and the form. `note` comes before what is said
 * about every file.
 */
export async function ExportPanel({
  person,
  action,
  filter,
  words,
  count,
  note = null,
  children,
}: {
  person: Person;
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  /** The query string of the list. */
  filter: string;
  words: readonly string[];
  count: number;
  note?: string | null;
  children: ReactNode;
}): Promise<ReactNode> {
  const t = await getTranslations('exports');
  return (
    <Panel>
      <Facts>
        <Fact label={t('new.filter')}>
          {words.length === 0 ? (
            t('all')
          ) : (
            <ul>
              {words.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact label={t('new.rows')}>
          <span className="tabular-nums">{t('rows', { count })}</span>
        </Fact>
        {children}
      </Facts>
      <div className="border-t border-hairline">
        <ExportForm
          action={action}
          filter={filter}
          words={{
            legend: t('new.profile'),
            submit: t('new.submit'),
            profiles: t.raw('profiles') as Record<Profile, { name: string; text: string }>,
          }}
        >
          <p className="max-w-prose text-label text-muted">
            {note !== null && <>{note} </>}
            {t(may(person.role, 'payee.read') ? 'new.whole' : 'new.masked')} {t('new.kept')}
          </p>
        </ExportForm>
      </div>
    </Panel>
  );
}
