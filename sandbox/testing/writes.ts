import { payout } from './sandbox.ts';
import type { ApiResponse, Sandbox } from './sandbox.ts';
import { codeOf } from './shop.ts';
import type { Shop } from './shop.ts';

/**
 * A load of writes (payouts, card payments, authorizations, refunds, saved cards) that remembers
 * each write answered with success. Such a write must survive any end of the process; a write
 * without an answer may exist, but only once.
 */

type Kind = 'payout' | 'card_sale' | 'hold' | 'card_refund' | 'saved_card';
type Line = {
  kind: string;
  amount: string;
  ext_transaction_id?: string | null;
  invoice_id?: string | null;
};

const CUSTOMER = 90_001;
const HOLDER = 'Elif Şahin';
const KINDS: readonly Kind[] = ['payout', 'card_sale', 'hold', 'card_refund', 'saved_card'];

/** Makes an unused card number with its Luhn digit. */
function cardNumber(n: number): string {
  const head = `43210${String(n).padStart(10, '0')}`;
  const sum = [...head].reduce(
    (all, digit, index) =>
      all + (index % 2 === 0 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]! : Number(digit)),
    0,
  );
  return head + String((10 - (sum % 10)) % 10);
}

export class Writes {
  readonly #box: Sandbox;
  readonly #shop: Shop;
  readonly #name: string;
  readonly #refused: string[] = [];
  #sent = 0;
  #over = false;
  /**
   * The amounts of the writes that were answered with success, by reference (of a saved card: by
   * token).
   */
  readonly answered: Record<Kind, Map<string, string>> = {
    payout: new Map(),
    card_sale: new Map(),
    hold: new Map(),
    card_refund: new Map(),
    saved_card: new Map(),
  };

  /** `name` begins every reference, so that two loads on one sandbox have different references. */
  constructor(box: Sandbox, shop: Shop, name: string) {
    [this.#box, this.#shop, this.#name] = [box, shop, name];
  }

  get count(): number {
    return KINDS.reduce((sum, kind) => sum + this.answered[kind].size, 0);
  }

  /**
   * Writes with `hands` writers at once until the connection breaks; each writer makes one write
   * after the other.
   */
  async run(hands: number): Promise<void> {
    this.#over = false;
    await Promise.all(
      Array.from({ length: hands }, async () => {
        while (!this.#over) await this.#one();
      }),
    );
  }

  async #one(): Promise<void> {
    const n = (this.#sent += 1);
    const kind = KINDS[n % KINDS.length]!;
    const [reference, amount] = [`${this.#name}-${n}`, 10 + (n % 90)];
    try {
      const sale = kind === 'card_refund' ? this.#unrefunded() : reference;
      if (sale === undefined) return;
      const response = await this.#send(kind, sale, amount, n);
      if (response.json.code !== '100' && codeOf(response) !== 100)
        this.#refused.push(`${kind} ${sale}: ${response.text}`);
      else
        this.answered[kind].set(
          kind === 'saved_card' ? String(response.json.card_token) : sale,
          `${kind === 'card_refund' ? 1 : amount}.00`,
        );
    } catch {
      // The process ended without an answer: the write may exist or not.
      this.#over = true;
    }
  }

  readonly #taken = new Set<string>();
  #unrefunded(): string | undefined {
    const sale = [...this.answered.card_sale.keys()].findLast(
      (invoice) => !this.#taken.has(invoice),
    );
    if (sale !== undefined) this.#taken.add(sale);
    return sale;
  }

  #send(kind: Kind, reference: string, amount: number, n: number): Promise<ApiResponse> {
    const [box, shop] = [this.#box, this.#shop];
    if (kind === 'payout')
      return box.call('Transaction/SendMoneyToBankAccount', payout(reference, { amount }));
    if (kind === 'card_refund') return shop.refund(reference, 1);
    if (kind !== 'saved_card')
      return shop.pay({
        invoice_id: reference,
        total: amount,
        ...(kind === 'hold' ? { transaction_type: 'PreAuth' } : {}),
      });
    const card = {
      card_holder_name: HOLDER,
      card_number: cardNumber(n),
      expiry_month: '12',
      expiry_year: '2031',
    };
    return shop.call('api/saveCard', {
      merchant_key: shop.key,
      customer_number: CUSTOMER,
      ...card,
      hash_key: shop.hash(shop.key, String(CUSTOMER), ...Object.values(card)),
    });
  }

  /**
   * Returns a sentence for each write that was answered with success and is missing or differs, and
   * for each reference that exists twice.
   */
  async problems(): Promise<string[]> {
    const lines = ((await this.#box.get('ledger?seeded=0')) as Line[])
      .map((line) => ({ ...line, reference: line.ext_transaction_id ?? line.invoice_id ?? '' }))
      .filter((line) => line.reference.startsWith(`${this.#name}-`));
    const problems = [...this.#refused];
    for (const kind of ['payout', 'card_sale', 'card_refund'] as const) {
      const there = Map.groupBy(
        lines.filter((line) => line.kind === kind),
        (line) => line.reference,
      );
      for (const reference of new Set([...there.keys(), ...this.answered[kind].keys()])) {
        const [wanted, found] = [
          this.answered[kind].get(reference),
          (there.get(reference) ?? []).map((line) => line.amount),
        ];
        if (found.length > 1 || (wanted !== undefined && found[0] !== wanted))
          problems.push(
            `${kind} ${reference}: answered ${wanted ?? 'nothing'}, there is ${found.join(' and ') || 'nothing'}`,
          );
      }
    }
    for (const invoice of this.answered.hold.keys()) {
      const { json } = await this.#shop.check(invoice);
      if (json.transaction_status !== 'Pre-Authorized')
        problems.push(`hold ${invoice}: answered, and is ${String(json.transaction_status)}`);
    }
    const { json } = await this.#shop.call('api/getCardTokens', {
      merchant_key: this.#shop.key,
      customer_number: CUSTOMER,
    });
    const tokens = new Set((json.data as { card_token: string }[]).map((one) => one.card_token));
    for (const token of this.answered.saved_card.keys())
      if (!tokens.has(token)) problems.push(`saved card ${token}: answered, and is not there`);
    if (!((await this.#box.get('books')) as { agrees: boolean }).agrees)
      problems.push('a wallet does not agree with its movements');
    return problems;
  }
}
