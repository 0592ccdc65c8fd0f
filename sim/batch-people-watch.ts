import { payeeIn } from './batch-content.ts';
import type { Row } from './store.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/**
 * Judges whom the rows of files pay: whom the file names, as the check showed it to the maker and the
 * page to the approvers. Of a person that is the wallet and the masked name of the number.
 */

/** A web process asks the provider, reads what is paid again, and makes intents within this time. */
const ASKED_MS = 20_000;

type Written = { payee: string; key: string | null; name: string | null };

export class BatchPeopleWatch {
  private readonly world: World;
  private readonly written_ = new Map<string, Written>();

  constructor(world: World) {
    this.world = world;
  }

  /** The check of a draft has shown whom a row pays: the account, or what the number `key` leads to. */
  writes(id: string, to: { iban: string } | { key: string }): void {
    if ('iban' in to) return void this.written_.set(id, { payee: to.iban, key: null, name: null });
    const { wallet: payee, name } = this.world.directory.find(to.key);
    this.written_.set(id, { payee, key: to.key, name });
  }

  /** A row became an intent. `isTampered`: somebody has changed it in the database since. */
  inserted(row: Row, isTampered: boolean): void {
    const written = this.written_.get(row.id);
    if (written === undefined) return;
    const { extId, kind, foundBy, foundName, toWallet } = row;
    const { payee, key, name } = written;
    if (kind !== (key === null ? 'payout' : 'transfer_person'))
      throw new Violation('M6', `${extId} is a ${kind}, and its file names ${key ?? payee}`);
    if (isTampered) return;
    if (payeeIn(row) !== payee || foundBy !== key || foundName !== name)
      throw new Violation('M6', `${extId} pays ${payeeIn(row)}, and its file named ${payee}`);
    if (key === null) return;
    this.world.lives.meets(extId, 'pays a person by a file');
    if (!this.world.directory.hasLed(key, { wallet: toWallet, name: foundName }, ASKED_MS))
      throw new Violation('M6', `${extId} pays ${payee}, and ${key} leads elsewhere by now`);
  }

  /** Called when the first byte of a request leaves. */
  written({ id, extId }: Row, body: string, isTampered: boolean): void {
    const written = this.written_.get(id);
    if (written === undefined || isTampered) return;
    const request = JSON.parse(body) as Record<string, unknown>;
    const to = written.key === null ? request.receiver_iban : request.receiver_wallet_number;
    if (to !== written.payee)
      throw new Violation('M6', `${extId} is sent to ${String(to)} instead of ${written.payee}`);
  }
}
