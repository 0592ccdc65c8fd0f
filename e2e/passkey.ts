import { generateKeyPairSync } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';

/** A passkey of Chromium's virtual authenticator, and what an attacker does with its answers. */

/**
 * `unverified`: asks the key for no verification. `hold`: signs, keeps the answer and sends none.
 * `replay`: sends the answer that was kept last.
 */
type Trick = 'none' | 'unverified' | 'hold' | 'replay';

type Credential = {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
};

export class VirtualKey {
  private readonly page: Page;
  private readonly session: CDPSession;
  private readonly authenticatorId: string;

  private constructor(page: Page, session: CDPSession, authenticatorId: string) {
    this.page = page;
    this.session = session;
    this.authenticatorId = authenticatorId;
  }

  static async of(page: Page): Promise<VirtualKey> {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.addInitScript(installTricks);
    return new VirtualKey(page, session, authenticatorId);
  }

  async play(trick: Trick): Promise<void> {
    const isUserVerified = trick !== 'unverified';
    const { authenticatorId } = this;
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    await this.page.evaluate((name) => sessionStorage.setItem('trick', name), trick);
  }

  async credential(): Promise<Credential> {
    const { credentials } = await this.session.send('WebAuthn.getCredentials', {
      authenticatorId: this.authenticatorId,
    });
    return credentials[0] as Credential;
  }

  /** Puts another credential under the same id into the authenticator. */
  async replace(credential: Credential): Promise<void> {
    const { authenticatorId } = this;
    const { credentialId } = credential;
    await this.session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
    await this.session.send('WebAuthn.addCredential', { authenticatorId, credential });
  }
}

/** The private key of somebody else, as the protocol wants it. */
export function anotherPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

/** Runs in the page, before its scripts. */
function installTricks(): void {
  const credentials = navigator.credentials;
  const sign = credentials.get.bind(credentials);
  const text = (buffer: ArrayBuffer): string =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)));
  const bytes = (base64: string): ArrayBuffer =>
    Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)).buffer;
  credentials.get = async (options) => {
    const trick = sessionStorage.getItem('trick') ?? 'none';
    if (trick === 'replay') {
      const kept = JSON.parse(sessionStorage.getItem('kept')!) as Record<string, string>;
      return {
        id: kept['id']!,
        type: 'public-key',
        rawId: bytes(kept['rawId']!),
        response: {
          authenticatorData: bytes(kept['authenticatorData']!),
          clientDataJSON: bytes(kept['clientDataJSON']!),
          signature: bytes(kept['signature']!),
          userHandle: null,
        },
        getClientExtensionResults: () => ({}),
      } as unknown as Credential & globalThis.Credential;
    }
    if (trick === 'unverified') options!.publicKey!.userVerification = 'discouraged';
    const made = (await sign(options)) as PublicKeyCredential;
    const response = made.response as AuthenticatorAssertionResponse;
    const kept = {
      id: made.id,
      rawId: text(made.rawId),
      authenticatorData: text(response.authenticatorData),
      clientDataJSON: text(response.clientDataJSON),
      signature: text(response.signature),
    };
    sessionStorage.setItem('kept', JSON.stringify(kept));
    if (trick === 'hold') throw new DOMException('kept', 'NotAllowedError');
    return made;
  };
}
