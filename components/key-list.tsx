import type { ReactNode } from 'react';

export type KeyWords = Record<
  | 'title'
  | 'close'
  | 'search'
  | 'new'
  | 'filter'
  | 'move'
  | 'open'
  | 'pick'
  | 'pickRange'
  | 'ask'
  | 'export'
  | 'help'
  | 'off'
  | 'settings'
  | 'payouts'
  | 'wallets'
  | 'home'
  | 'receipts',
  string
>;

const KEY =
  'min-w-6 rounded-control border border-hairline bg-raised px-1.5 py-0.5 text-center ' +
  'text-label font-medium';

/** Every single key and what it does. */
export function KeyList({ words }: { words: KeyWords }): ReactNode {
  const list = [
    ['?', words.help],
    ['Ctrl K', words.search],
    ['G P', words.payouts],
    ['G W', words.wallets],
    ['G R', words.receipts],
    ['G H', words.home],
    ['N', words.new],
    ['/', words.filter],
    ['J  K', words.move],
    ['Enter', words.open],
    ['X', words.pick],
    ['Shift X', words.pickRange],
    ['R', words.ask],
    ['E', words.export],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
      {list.map(([keys, what]) => (
        <div key={keys} className="contents">
          <dt className="flex gap-1">
            {keys.split(/ +/).map((key) => (
              <kbd key={key} className={KEY}>
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
