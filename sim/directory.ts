import type { PersonFound } from '#lib/transfers/person.ts';
import type { Random } from './random.ts';

/**
 * Whose wallet a phone number or an account number leads to, as the provider says it: with a masked
 * name. A number may be given to another person, and a person may move to another wallet.
 */

type Entry = { since: number; wallet: string; name: string };

const FIRST_PHONE = 5_330_000_000;
const FIRST_ACCOUNT = 5_520_000_000;
const FIRST_WALLET = 5_530_000_000;
/** Each of them fits the name that `nameOf` gives. */
const MASKS = ['El** Ka***', 'E*** K****'];
const SOMEBODY_ELSE = 'Ca* De***';

/** The name that a file writes of its nth person. */
export function nameOf(n: number): string {
  return `Elif Kaya${String.fromCharCode(97 + (n % 26))}`;
}

/** What a file writes to find its nth person, as the stored form of a search. */
export function keyOf(n: number): string {
  return n % 3 === 0 ? `account:${FIRST_ACCOUNT + n}` : `phone:90:${FIRST_PHONE + n}`;
}

export class Directory {
  private readonly entries = new Map<string, Entry[]>();
  private readonly now: () => number;
  private wallets = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  find(key: string): Extract<PersonFound, { kind: 'found' }> {
    const { wallet, name } = this.all(key).at(-1)!;
    return { kind: 'found', wallet, name };
  }

  /** From now on the number leads to another wallet, to another name, or to both. */
  move(key: string, random: Random): void {
    const all = this.all(key);
    const { wallet, name } = all.at(-1)!;
    const renamed = name === MASKS[0] ? MASKS[1]! : MASKS[0]!;
    const moved = random.pick([
      { wallet: this.newWallet(), name },
      { wallet: this.newWallet(), name: SOMEBODY_ELSE },
      { wallet, name: renamed },
    ]);
    all.push({ since: this.now(), ...moved });
  }

  /** Whether the number has led to this wallet and this name at some moment of the last `ms`. */
  hasLed(key: string, to: { wallet: string | null; name: string | null }, ms: number): boolean {
    const all = this.all(key);
    return all.some(
      ({ wallet, name }, at) =>
        wallet === to.wallet &&
        name === to.name &&
        (all[at + 1]?.since ?? Infinity) >= this.now() - ms,
    );
  }

  private all(key: string): Entry[] {
    const known = this.entries.get(key) ?? [
      { since: -Infinity, wallet: this.newWallet(), name: MASKS[0]! },
    ];
    this.entries.set(key, known);
    return known;
  }

  private newWallet(): string {
    this.wallets += 1;
    return String(FIRST_WALLET + this.wallets);
  }
}
