import { getTranslations } from 'next-intl/server';
import { navigationOf } from '#app/navigation.ts';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { wordsOf } from '#lib/readings/understand.ts';
import { group, hit } from './shown-hits.ts';
import type { ShownGroup, Writing } from './shown-hits.ts';

/**
 * Pages this person may open and things they may create, matched by the beginnings of the words in
 * their titles; all of them for an empty box.
 */
export async function actionsFor(person: Person, text: string, w: Writing): Promise<ShownGroup[]> {
  const names = await getTranslations('shell.items');
  const places = navigationOf(person);
  const all = [
    ...(may(person.role, 'payout.prepare')
      ? [
          { href: '/payouts/new', title: w.t('newPayout') },
          { href: '/transfers/new', title: (await getTranslations('newTransfer'))('title') },
        ]
      : []),
    ...(may(person.role, 'wallet.create')
      ? [{ href: '/wallets/new', title: (await getTranslations('newWallet'))('title') }]
      : []),
    ...places
      .flatMap(({ items }) => items)
      .map((item) => ({
        href: item.href,
        title: w.t('goTo', { place: names(item.name) }),
      })),
  ];
  const wanted = wordsOf(text);
  const fits = all.filter(({ title }) =>
    wanted.every((want) => wordsOf(title).some((word) => word.startsWith(want))),
  );
  const hits = fits.map(({ href, title }) => hit(`actions-${href}`, href, title, '', {}, w));
  return hits.length === 0 ? [] : [group('actions', hits, null, w)];
}
