import 'server-only';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';

const KEPT_MS = 3_600_000;
const ASK_AGAIN_MS = 60_000;

let known: string | null = null;
let nextAskAt = 0;

/**
 * The merchant's name on its account at the provider, for the head of printed pages. No page waits
 * for it: null until the provider has answered once.
 */
export function merchantNameIfKnown(): string | null {
  if (Date.now() >= nextAskAt) {
    nextAskAt = Date.now() + ASK_AGAIN_MS;
    void walletClient()
      .getBusinessAccount()
      .then((answer) => {
        if (answer.kind !== 'answered') return;
        known = answer.value.name;
        nextAskAt = Date.now() + KEPT_MS;
      })
      .catch(() => undefined);
  }
  return known;
}
