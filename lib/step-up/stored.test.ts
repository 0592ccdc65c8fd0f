import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { challengeOf, stepUpItem } from './challenge.ts';
import type { ChallengeParts } from './challenge.ts';
import { isEnough, strictestStepUp } from './method.ts';
import { methodProved } from './stored.ts';
import type { StoredStepUp } from './stored.ts';
import { Authenticator } from './testing/authenticator.ts';
import type { SignOptions } from './testing/authenticator.ts';

const CONTENT = {
  kind: 'payout',
  contentHash: 'a'.repeat(64),
  extId: '0123456789ABCDEFGHJK',
  amountMinor: 4_412_010n,
  currency: 'TRY',
};
const SIGNER = { personId: 'mehmet', overrides: false };
const PARTS: ChallengeParts = {
  purpose: 'approve',
  nonce: 'b'.repeat(64),
  policyVersion: 3,
  items: [stepUpItem(CONTENT), 'c'.repeat(64)],
};

const key = new Authenticator('https://pay.merchant.test');

function signed(options: Partial<SignOptions> = {}, parts = PARTS): StoredStepUp {
  const challenge = Buffer.from(challengeOf(parts), 'hex').toString('base64url');
  const { response } = key.sign({ challenge, ...options });
  return {
    ...parts,
    personId: 'mehmet',
    method: 'passkey',
    assertion: {
      publicKey: key.spki,
      authenticatorData: response.authenticatorData,
      clientDataJson: response.clientDataJSON,
      signature: response.signature,
    },
    enrolled: { personId: 'mehmet', publicKey: key.spki, rpId: key.rpId },
  };
}

describe('a signature', () => {
  it('of this content by a verified person proves it', () => {
    expect(methodProved(signed(), SIGNER, CONTENT)).toBe('passkey');
  });

  it.each([
    ['kind', { kind: 'cashout' }],
    ['payee, by the content hash', { contentHash: 'd'.repeat(64) }],
    ['reference', { extId: '1123456789ABCDEFGHJK' }],
    ['amount', { amountMinor: 4_412_011n }],
    ['currency', { currency: 'USD' }],
  ])('does not prove another %s', (_what, changed) => {
    expect(methodProved(signed(), SIGNER, { ...CONTENT, ...changed })).toBe('none');
  });

  it.each([
    ['policy', { policyVersion: 4 }],
    ['nonce', { nonce: 'e'.repeat(64) }],
    ['list', { items: [stepUpItem(CONTENT)] }],
    ['signer', { personId: 'selin' }],
    ['owner of the key', { enrolled: { personId: 'selin', publicKey: key.spki, rpId: key.rpId } }],
    ['key on record', { enrolled: { personId: 'mehmet', publicKey: 'other', rpId: key.rpId } }],
    ['party', { enrolled: { personId: 'mehmet', publicKey: key.spki, rpId: 'other.test' } }],
    ['absent signature', { assertion: null }],
    ['purpose', { purpose: 'override' as const }],
  ])('with another %s proves nothing', (_what, changed) => {
    expect(methodProved({ ...signed(), ...changed }, SIGNER, CONTENT)).toBe('none');
  });

  it('of an approval is none of an override', () => {
    expect(methodProved(signed(), { ...SIGNER, overrides: true }, CONTENT)).toBe('none');
    const release = signed({}, { ...PARTS, purpose: 'override' });
    expect(methodProved(release, { ...SIGNER, overrides: true }, CONTENT)).toBe('passkey');
  });

  it.each([
    ['another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['nobody verified', { verified: false }],
    ['another site', { origin: 'https://pay.merchant.test.evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('with %s proves nothing', (_what, options) => {
    expect(methodProved(signed(options), SIGNER, CONTENT)).toBe('none');
  });

  it.each(['authenticatorData', 'clientDataJson', 'signature'] as const)(
    'with a changed %s proves nothing',
    (field) => {
      const stored = signed();
      const assertion = { ...stored.assertion!, [field]: stored.assertion![field].slice(0, -8) };
      expect(methodProved({ ...stored, assertion }, SIGNER, CONTENT)).toBe('none');
    },
  );
});

describe('a fresh sign-in', () => {
  it('counts where the policy allows it, for this content and person', () => {
    const stored: StoredStepUp = {
      ...PARTS,
      personId: 'mehmet',
      method: 'sign_in',
      assertion: null,
      enrolled: null,
    };
    expect(methodProved(stored, SIGNER, CONTENT)).toBe('sign_in');
    expect(methodProved(stored, SIGNER, { ...CONTENT, amountMinor: 1n })).toBe('none');
    expect([isEnough('sign_in', 'any'), isEnough('sign_in', 'passkey')]).toEqual([true, false]);
    expect([isEnough('none', 'any'), isEnough('none', 'none')]).toEqual([false, true]);
    expect(strictestStepUp(['any', 'none', 'passkey'])).toBe('passkey');
  });
});
