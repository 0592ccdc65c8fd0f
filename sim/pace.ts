import type { Row } from './store.ts';
import { MINUTE } from './time.ts';
import { Violation } from './violation.ts';
import type { Rule } from './violation.ts';

/**
 * Checks whether the product keeps the provider's limits: sends to one IBAN, and checks per minute.
 */

const GATE_MS = 65_000;
const READS_PER_MINUTE = 25;
/** Six one-minute refusals that were received, and three more whose response was lost. */
const WAITS_MAX = 9;

const fail = (rule: Rule, what: string): never => {
  throw new Violation(rule, what);
};

export class Pace {
  private readonly gates = new Map<string, { at: number; token: string; open: boolean }>();
  private readonly waits = new Map<string, number>();
  private readonly reads = new Map<string, number[]>();

  /**
   * Judges a new claim by the bank's one-minute rule, which is about IBANs: transfers between
   * wallets are exempt.
   */
  claimed({ iban, toWallet }: Row, token: string, at: number): void {
    const gate = this.gates.get(iban);
    if (toWallet === null && gate !== undefined && !gate.open && at - gate.at < GATE_MS)
      fail('G', `two sends to one IBAN within ${Math.round((at - gate.at) / 1000)} s`);
    this.gates.set(iban, { at, token, open: false });
  }

  /** The claim ended without a request that the provider took: the IBAN is free again. */
  freed({ iban }: Row, token: string): void {
    const gate = this.gates.get(iban);
    if (gate?.token === token) gate.open = true;
  }

  /** The provider refused a send by its one-minute rule. */
  waited(extId: string): void {
    const waits = (this.waits.get(extId) ?? 0) + 1;
    this.waits.set(extId, waits);
    if (waits > WAITS_MAX) fail('G', `${extId} was refused by the one-minute rule ${waits} times`);
  }

  checked(extId: string, now: number): void {
    const recent = (this.reads.get(extId) ?? []).filter((at) => now - at < MINUTE);
    recent.push(now);
    this.reads.set(extId, recent);
    if (recent.length > READS_PER_MINUTE)
      fail('F', `${extId} was asked about ${recent.length} times within a minute`);
  }

  /** The restored rows start again with no one-minute refusals. */
  restored(): void {
    this.waits.clear();
  }
}
