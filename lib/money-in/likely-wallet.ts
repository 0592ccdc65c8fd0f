import { foldForSearch } from '#lib/values/turkish.ts';

/**
 * Guesses which of our own wallets a failed top-up was meant for, from its description. The guess
 * comes with its reason; a person decides, and nothing moves because of it. Pure.
 */

export type OwnWallet = {
  number: string;
  name: string;
  currency: string;
  iban: string | null;
  topUpDefault: boolean;
};

/**
 * The certainty: the webhook or the sender names the wallet; the description is close to one
 * wallet's name; or only where such money usually goes.
 */
export type Likely = {
  wallet: string;
  confidence: 'named' | 'likely' | 'guess';
  because: 'notice' | 'number' | 'iban' | 'name' | 'near_number' | 'near_name' | 'only' | 'default';
};

/** The minimum length of a word that is compared: shorter words occur in every description. */
const WORD_MIN = 4;
/** The last digits of an IBAN that people write when they shorten it. */
const IBAN_TAIL = 10;
/** The maximum length of a Turkish suffix after a name: "kasası" → "kasasına". */
const ENDING_MAX = 4;

export type Unloaded = {
  wallet: string | null;
  description: string | null;
  currency: string | null;
};

/** Null when the description matches no wallet, or two equally well. */
export function likelyWallet(money: Unloaded, wallets: readonly OwnWallet[]): Likely | null {
  const named = wallets.find((wallet) => wallet.number === money.wallet);
  if (named) return { wallet: named.number, confidence: 'named', because: 'notice' };
  const own = wallets.filter(
    (wallet) => money.currency === null || wallet.currency === money.currency,
  );
  const words = foldForSearch(money.description ?? '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const numbers = digitRuns(money);
  // The number of a wallet in another currency is not a typing error.
  const unknown = numbers.filter((run) => !wallets.some((wallet) => wallet.number === run));
  const rules: [Likely['confidence'], Likely['because'], (wallet: OwnWallet) => boolean][] = [
    ['named', 'number', (wallet) => numbers.includes(wallet.number)],
    [
      'named',
      'iban',
      (wallet) =>
        wallet.iban !== null &&
        numbers.some((run) => run.length >= IBAN_TAIL && wallet.iban!.endsWith(run)),
    ],
    ['named', 'name', (wallet) => wordsOf(wallet.name).every((word) => words.includes(word))],
    [
      'likely',
      'near_number',
      (wallet) =>
        unknown.some((run) => run.length >= wallet.number.length - 1 && isNear(run, wallet.number)),
    ],
    [
      'likely',
      'near_name',
      (wallet) =>
        wordsOf(wallet.name).every((word) =>
          words.some((given) => isNear(withoutEnding(given, word), word)),
        ),
    ],
    ['guess', 'only', () => own.length === 1],
    ['guess', 'default', (wallet) => wallet.topUpDefault],
  ];
  for (const [confidence, because, fits] of rules) {
    const found = own.filter(fits);
    if (found.length === 1) return { wallet: found[0]!.number, confidence, because };
    // Two equal matches: a weaker criterion cannot decide between them.
    if (found.length > 1) return null;
  }
  return null;
}

/**
 * Every run of digits in the description, both joined over spaces and dashes and by its parts,
 * including numbers that no wallet of ours has.
 */
function digitRuns({ wallet, description }: Unloaded): string[] {
  const text = `${wallet ?? ''} | ${description ?? ''}`;
  const runs = [...text.matchAll(/\d+(?:[ \u00a0-]\d+)*/g)].map(([run]) => run);
  return [...new Set(runs.flatMap((run) => [run.replace(/\D/g, ''), ...run.split(/\D/)]))].filter(
    (run) => run.length >= WORD_MIN,
  );
}

/** The words that distinguish a wallet's name; all of them when all are short. */
function wordsOf(name: string): string[] {
  const all = foldForSearch(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const long = all.filter((word) => word.length >= WORD_MIN);
  return long.length > 0 ? long : all;
}

function withoutEnding(given: string, word: string): string {
  return given.length > word.length &&
    given.length <= word.length + ENDING_MAX &&
    given.startsWith(word.slice(0, -1))
    ? given.slice(0, word.length)
    : given;
}

/** Whether two words differ by one typing error: a letter wrong, missing, extra, or two swapped. */
export function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
