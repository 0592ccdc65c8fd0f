import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { FILE_TYPES, MERGED_MAX, receiptsMax } from '#lib/receipts/archives/archive.ts';
import { previewArchive } from '#lib/receipts/archives/ask.ts';
import { readReceiptQuery, receiptParams } from '#lib/receipts/filter.ts';
import { receiptsOfMovements } from '#lib/receipts/of-movements.ts';
import { NO_FILTER, payoutListAddress, readPicked } from '#lib/payouts/filter.ts';
import { signedIn } from '#lib/login/session.ts';
import { chosenWords } from '../archive-words.ts';
import { ArchiveForm } from './archive-form.tsx';
import type { ArchiveFormWords } from './archive-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('receipts.archives'))('new.title') };
}

/**
 * The file's contents before it is requested: the list's own filter, the rows ticked in it
 * (`?pick=`), or the receipts of payouts ticked in theirs (`?payout=`).
 */
export default async function NewArchivePage({
  searchParams,
}: PageProps<'/receipts/archives/new'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'receipt.read') || !may(person.role, 'export.make'))
    return <Forbidden person={person} needs="export.make" />;
  const params = await searchParams;
  const { filter } = readReceiptQuery(params);
  const payouts = params['payout'] === undefined ? null : readPicked(params['payout']);
  const picked =
    payouts === null ? pickedOf(params['pick']) : await receiptsOfMovements(person, payouts);
  const preview = await previewArchive(person, filter, picked);
  const count = preview.ready + preview.waiting + preview.failed;
  const t = await getTranslations('receipts.archives');
  const address = addressOf(receiptParams(filter));
  return (
    <>
      <PageHead title={t('new.title')}>
        {payouts === null ? (
          <LinkButton href={`/receipts${address}`}>{t('back')}</LinkButton>
        ) : (
          <LinkButton href={`/payouts${payoutListAddress({ ...NO_FILTER, picked: payouts })}`}>
            {t('backToPayouts')}
          </LinkButton>
        )}
      </PageHead>
      <Panel>
        {count === 0 && !preview.ledger ? (
          <EmptyState title={t('new.nothing')} />
        ) : (
          <>
            <Chosen
              words={await chosenWords(filter, picked === null ? null : count)}
              count={count}
              ready={preview.ready}
              without={payouts === null ? 0 : payouts.length - count}
            />
            <div className="border-t border-hairline">
              <ArchiveForm
                filter={address}
                picked={picked}
                words={await formWords(count, preview.ledger)}
              >
                <p className="max-w-prose text-label text-muted">{t('new.text')}</p>
              </ArchiveForm>
            </div>
          </>
        )}
      </Panel>
    </>
  );
}

function pickedOf(pick: string | string[] | undefined): string[] | null {
  return pick === undefined ? null : [pick].flat();
}

/**
 * What was chosen; `without`: ticked payouts that have no receipt, which a payout from the card
 * balance never has.
 */
async function Chosen({
  words,
  count,
  ready,
  without,
}: {
  words: readonly string[];
  count: number;
  ready: number;
  without: number;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts.archives');
  return (
    <Facts>
      <Fact label={t('chosen')}>
        {words.length === 0 ? (
          t('everything')
        ) : (
          <ul>
            {words.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        )}
        {without > 0 && <p className="text-muted">{t('withoutReceipt', { count: without })}</p>}
      </Fact>
      <Fact label={t('asked')}>
        <span className="tabular-nums">
          {t('new.counts', { count, ready, missing: count - ready })}
        </span>
      </Fact>
    </Facts>
  );
}

async function formWords(count: number, ledger: number | null): Promise<ArchiveFormWords> {
  const t = await getTranslations('receipts.archives');
  return {
    file: t('new.file'),
    fileTypes: FILE_TYPES.filter((type) => type === 'zip' || count <= receiptsMax(type)).map(
      (value) => ({
        value,
        name: t(`fileTypes.${value}.name`),
        text: t(`fileTypes.${value}.text`, { max: receiptsMax(value) }),
      }),
    ),
    tooMany: count > MERGED_MAX ? t('new.tooMany', { max: MERGED_MAX, count }) : null,
    ledger: ledger ? t('new.ledger', { count: ledger }) : null,
    template: t('new.template'),
    templates: t.raw('templates') as ArchiveFormWords['templates'],
    ascii: t('new.ascii'),
    profile: t('new.profile'),
    profiles: t.raw('profiles') as ArchiveFormWords['profiles'],
    submit: t('new.submit'),
  };
}
