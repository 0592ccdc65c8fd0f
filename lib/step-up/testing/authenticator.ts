import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A passkey in memory, for tests: makes its key and signs challenges like a security key. */

const FLAG = { present: 0x01, verified: 0x04, withKey: 0x40 };

export type SignOptions = {
  challenge: string;
  counter?: number;
  verified?: boolean;
  origin?: string;
  /** Signs with another key under the same id. */
  key?: KeyObject;
};

export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly rpId: string;
  readonly origin: string;
  counter = 0;
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(origin: string) {
    this.origin = origin;
    this.rpId = new URL(origin).hostname;
  }

  get spki(): string {
    return this.pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  }

  /** What `navigator.credentials.create` returns, as JSON. `challenge` in base64url. */
  register(challenge: string) {
    const clientDataJSON = this.clientData('webauthn.create', challenge, this.origin);
    const id = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      this.head(FLAG.present | FLAG.verified | FLAG.withKey, 0),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      this.coseKey(),
    ]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      textItem('fmt'),
      textItem('none'),
      textItem('attStmt'),
      Buffer.from([0xa0]),
      textItem('authData'),
      Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]),
      authData,
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** What `navigator.credentials.get` returns, as JSON. `challenge` in base64url. */
  sign({ challenge, counter, verified = true, origin = this.origin, key }: SignOptions) {
    this.counter = counter ?? this.counter + 1;
    const client = this.clientData('webauthn.get', challenge, origin);
    const authenticatorData = this.head(
      FLAG.present | (verified ? FLAG.verified : 0),
      this.counter,
    );
    const signed = Buffer.concat([authenticatorData, sha256(client)]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, key ?? this.pair.privateKey).toString('base64url'),
      },
    };
  }

  private clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private head(flags: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(Buffer.from(this.rpId)), Buffer.from([flags]), count]);
  }

  /** COSE: an EC2 key for ES256 on P-256. */
  private coseKey(): Buffer {
    const { x, y } = this.pair.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
  }
}

function textItem(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
