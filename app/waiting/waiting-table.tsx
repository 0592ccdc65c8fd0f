import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { limitWords } from '#app/people/limit-words.ts';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { KIND_NAMES } from '#lib/movements/kinds.ts';
import type { Role } from '#lib/access/actor.ts';
import { limitView } from '#lib/people/limit-view.ts';
import { readLimitClaim } from '#lib/policy/limits.ts';
import { formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, toDecimal } from '#lib/values/money.ts';
import type { WaitingItem } from '#lib/waiting/list.ts';

/** The claim of `lib/passkeys/lost.ts`. */
const LOST_KEYS = 'passkeys_lost';

export async function WaitingTable({
  items,
  caption,
}: {
  items: readonly WaitingItem[];
  caption: string;
}): Promise<ReactNode> {
  const t = await getTranslations('waiting');
  return (
    <Table
      caption={caption}
      head={
        <>
          <Head>{t('columns.what')}</Head>
          <Head>{t('columns.asked')}</Head>
          <Head>{t('columns.who')}</Head>
          <Head>{t('columns.until')}</Head>
        </>
      }
    >
      {items.map((item) => (
        <Line key={item.id} item={item} />
      ))}
    </Table>
  );
}

async function Line({ item }: { item: WaitingItem }): Promise<ReactNode> {
  const t = await getTranslations('waiting');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const moment = (iso: string): string => formatDateTime(iso, locale, { zone });
  return (
    <Row>
      <Cell first>
        <span className="grid min-w-0 wrap-anywhere">
          <Link href={item.href} data-row-link className="font-medium text-accent hover:underline">
            {await thingOf(item)}
          </Link>
          <span>{await effectOf(item)}</span>
        </span>
      </Cell>
      <Cell label={t('columns.asked')}>
        <span className="grid wrap-anywhere">
          <span>{t('asked', { by: item.by.join(', '), at: moment(item.at) })}</span>
          <span className="text-label text-muted">“{item.reason}”</span>
        </span>
      </Cell>
      <Cell label={t('columns.who')}>
        <span className="grid wrap-anywhere">
          <span>{t(`missing.${item.missing}`)}</span>
          <span className="text-label text-muted">{await whoOf(item)}</span>
        </span>
      </Cell>
      <Cell label={t('columns.until')}>{moment(item.until)}</Cell>
    </Row>
  );
}

async function whoOf({ viewer, missing, who }: WaitingItem): Promise<string> {
  const t = await getTranslations('waiting');
  if (missing === 'contradicted') return t('contradictedText');
  if (who.length === 0) return t('nobody');
  const names = t('names', { names: who.join(', ') });
  return viewer === 'said' ? `${t('youSaid')} ${names}` : names;
}

/** What it is about, as the words of the link. */
async function thingOf({ kind, facts }: WaitingItem): Promise<string> {
  const t = await getTranslations('waiting.things');
  const locale = (await getLocale()) as Locale;
  const { amount, currency, name, email } = facts;
  const money = amount && currency ? formatMoney(toDecimal(BigInt(amount)), currency, locale) : '–';
  switch (kind) {
    case 'movement': {
      const what = KIND_NAMES.find((one) => one === facts['kind']) ?? 'payout';
      return t('movement', { what, amount: money, name: name ?? '–' });
    }
    case 'plan_charge':
      return t('plan_charge', { amount: money });
    case 'send_switch': {
      const kinds = await getTranslations('sending.kinds');
      return t('send_switch', { what: kinds(facts['kind'] ?? 'all') });
    }
    case 'person':
      return t('person', { name: name ?? '–' });
    case 'invitation':
      return t('invitation', { email: email ?? '–' });
    case 'policy':
      return t('policy');
    case 'deputy':
      return t('deputy', { name: name ?? '–' });
    case 'api_key':
      return t('api_key', { name: name ?? '–' });
  }
}

/** What would happen once a second person confirms. */
async function effectOf({ kind, facts, claim }: WaitingItem): Promise<string> {
  const t = await getTranslations('waiting.effects');
  const roles = await getTranslations('shell.roles');
  if (claim === null) return t('contradicted');
  switch (kind) {
    case 'movement':
    case 'plan_charge': {
      const claims = await getTranslations('secondPerson.claims');
      const own = kind === 'plan_charge' ? kind : (facts['kind'] ?? 'payout');
      const key = `${claims.has(own) ? own : 'payout'}.${claim}`;
      return t('close', { outcome: claims.has(key) ? claims(key) : claim });
    }
    case 'send_switch':
      return t('resume', { cause: facts['cause'] ?? 'person' });
    case 'person': {
      if (claim === LOST_KEYS) return t('keysLost');
      const limit = readLimitClaim(claim);
      if (limit !== null) return t('limit', await limitWords(limitView(limit)));
      const role = claim.startsWith('role:') ? (claim.slice('role:'.length) as Role) : null;
      if (role === null) return t(claim === 'enable' ? 'enable' : 'disable');
      return t('role', { from: roles(facts['role'] ?? 'clerk'), to: roles(role) });
    }
    case 'invitation':
      return t('invite', { role: roles(facts['role'] ?? 'clerk') });
    case 'policy':
      return t('policy');
    case 'api_key':
      return t('api_key');
    case 'deputy': {
      const [of, first, last] = [facts['of'], facts['firstDay'], facts['lastDay']];
      return t('deputy', { of: of ?? '–', first: await dayOf(first), last: await dayOf(last) });
    }
  }
}

async function dayOf(day: string | null | undefined): Promise<string> {
  return day ? formatDate(day, (await getLocale()) as Locale) : '–';
}
