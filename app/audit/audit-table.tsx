import { ListFilter } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { auditParams } from '#lib/audit/filter.ts';
import type { AuditFilter } from '#lib/audit/filter.ts';
import type { AuditEntry } from '#lib/audit/list.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { STATES } from '#lib/movements/state.ts';
import { AuditRow } from './audit-row.tsx';
import { actionKey, readSubject } from './audit-words.ts';

const COLUMNS = 7;
const HASH_SHOWN = 8;

export async function AuditTable({
  rows,
  filter,
  broken,
}: {
  rows: AuditEntry[];
  filter: AuditFilter;
  broken: ReadonlySet<string>;
}): Promise<ReactNode> {
  const t = await getTranslations('audit');
  const head = (
    <>
      <Head numeric>{t('columns.seq')}</Head>
      <Head>{t('columns.at')}</Head>
      <Head>{t('columns.who')}</Head>
      <Head>{t('columns.action')}</Head>
      <Head>{t('columns.subject')}</Head>
      <Head>{t('columns.hash')}</Head>
      <Head>
        <span className="sr-only">{t('detail')}</span>
      </Head>
    </>
  );
  return (
    <Table caption={t('caption')} head={head}>
      {rows.map((row) => (
        <AuditRow
          key={row.seq}
          columns={COLUMNS}
          word={t('detail')}
          label={t('showDetail', { seq: row.seq })}
          cells={<Cells entry={row} filter={filter} broken={broken.has(row.seq)} />}
          detail={<Detail entry={row} />}
        />
      ))}
    </Table>
  );
}

async function Cells({
  entry,
  filter,
  broken,
}: {
  entry: AuditEntry;
  filter: AuditFilter;
  broken: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('audit');
  const states = await getTranslations('states');
  const copied = (await getTranslations('common'))('copied');
  const isState = (text: string | null): text is string => STATES.some((state) => state === text);
  return (
    <>
      <Cell first>
        {broken ? (
          <Pill tone="failed">{entry.seq}</Pill>
        ) : (
          <span className="block text-muted tabular-nums sm:text-right">{entry.seq}</span>
        )}
      </Cell>
      <Cell label={t('columns.at')}>
        <When at={entry.at} seconds />
      </Cell>
      <Cell label={t('columns.who')}>
        <Who who={entry.who} />
      </Cell>
      <Cell label={t('columns.action')}>
        <span className="block">{t(actionKey(entry.action), { action: entry.action })}</span>
        {isState(entry.from) && isState(entry.to) && entry.from !== entry.to && (
          <span className="block text-label text-muted">
            {t('step', { from: states(entry.from), to: states(entry.to) })}
          </span>
        )}
      </Cell>
      <Cell label={t('columns.subject')}>
        <Subject subject={entry.subject} filter={filter} />
      </Cell>
      <Cell label={t('columns.hash')}>
        <span className="inline-flex items-center font-mono text-mono whitespace-nowrap text-muted">
          {entry.hash.slice(0, HASH_SHOWN)}
          <CopyButton text={entry.hash} label={t('details.copyHash')} done={copied} />
        </span>
      </Cell>
    </>
  );
}

async function Who({ who }: { who: AuditEntry['who'] }): Promise<ReactNode> {
  const t = await getTranslations('audit.who');
  const roles = await getTranslations('shell.roles');
  switch (who.kind) {
    case 'person':
      return (
        <>
          {who.name ?? <Gone />}{' '}
          {who.role !== null && (
            <span className="block text-label text-muted">{roles(who.role)}</span>
          )}
        </>
      );
    case 'other':
      return t('other', { text: who.text });
    default:
      return <span className="text-muted">{t(who.kind)}</span>;
  }
}

/** An erased personal value: the entry still proves that there was one. */
async function Gone(): Promise<ReactNode> {
  return <span className="text-muted italic">{(await getTranslations('audit'))('erased')}</span>;
}

const SMALL_ICON_LINK =
  'inline-grid size-6 place-items-center rounded-control text-muted hover:bg-draft-ground ' +
  'hover:text-ink pointer-coarse:size-11';

async function Subject({
  subject,
  filter,
}: {
  subject: string;
  filter: AuditFilter;
}): Promise<ReactNode> {
  const t = await getTranslations('audit');
  const { key, id, href, short } = readSubject(subject);
  const words = (
    <>
      {t(key, { id, subject })}{' '}
      {short !== '' && !['subjects.audit', 'subjects.other'].includes(key) && (
        <span className="font-mono text-mono">{short}</span>
      )}
    </>
  );
  return (
    <span className="inline-flex items-center gap-1">
      {href ? (
        <Link href={href} className="text-accent hover:underline">
          {words}
        </Link>
      ) : (
        <span className="text-muted">{words}</span>
      )}
      {filter.subject !== subject && (
        <Link
          href={`/audit${addressOf(auditParams({ who: null, action: null, from: null, to: null, subject }))}`}
          aria-label={`${t('onlySubject')}: ${subject}`}
          title={t('onlySubject')}
          className={SMALL_ICON_LINK}
        >
          <ListFilter aria-hidden className="size-3.5" />
        </Link>
      )}
    </span>
  );
}

async function Detail({ entry }: { entry: AuditEntry }): Promise<ReactNode> {
  const t = await getTranslations('audit.details');
  const copied = (await getTranslations('common'))('copied');
  return (
    <Facts>
      <Fact label={t('subject')}>
        <span className="font-mono text-mono break-all">{entry.subject}</span>
      </Fact>
      {entry.detail.map(([name, value]) => (
        <Fact key={name} label={<span className="font-mono">{name}</span>}>
          <span className="font-mono text-mono break-all">{value === '' ? '–' : value}</span>
        </Fact>
      ))}
      {entry.personal.map(([name, value]) => (
        <Fact key={name} label={<span className="font-mono">{name}</span>}>
          {value === null ? (
            <Gone />
          ) : (
            <span className="font-mono text-mono break-all">{value}</span>
          )}
        </Fact>
      ))}
      <Fact label={t('hash')}>
        <span className="font-mono text-mono break-all">{entry.hash}</span>{' '}
        <CopyButton text={entry.hash} label={t('copyHash')} done={copied} />
      </Fact>
      <Fact label={t('prevHash')}>
        <span className="font-mono text-mono break-all">{entry.prevHash}</span>{' '}
        <CopyButton text={entry.prevHash} label={t('copyHash')} done={copied} />
      </Fact>
      <Fact label={t('body')}>
        <details>
          <summary className="font-mono text-mono text-muted">{entry.action}</summary>
          <pre
            tabIndex={0}
            className="max-h-72 overflow-auto font-mono text-mono break-all whitespace-pre-wrap"
          >
            {entry.body}
          </pre>
        </details>
        <CopyButton text={entry.body} label={t('copyBody')} done={copied} />
      </Fact>
    </Facts>
  );
}
