import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import * as tls from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { exchange } from './transport.ts';

/**
 * Encodes certificates by hand, so that the repository holds no private key and the test needs no
 * tool.
 */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

function certificate(
  publicKey: KeyObject,
  privateKey: KeyObject,
  host: string,
  validFrom: Date,
  validTo: Date,
): string {
  const ecdsaSha256 = sequence(oid('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(host)))));
  const altNames = sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(host)))));
  const isCa = sequence(
    oid('551d13'),
    der(0x01, Buffer.from([0xff])),
    der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaSha256,
    name,
    sequence(time(validFrom), time(validTo)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(altNames, isCa)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = sequence(body, ecdsaSha256, signature).toString('base64');
  const lines = base64.replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const known = tls.getCACertificates('default');
const closers: (() => void)[] = [];
afterEach(() => {
  closers.splice(0).forEach((close) => close());
  tls.setDefaultCACertificates(known);
});

async function server({
  host = 'localhost',
  from = -1,
  to = 1,
  trusted = true,
}): Promise<{ url: string; requests: () => number }> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = certificate(publicKey, privateKey, host, inDays(from), inDays(to));
  if (trusted) tls.setDefaultCACertificates([...known, cert]);
  let requests = 0;
  const made = https.createServer(
    { key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert },
    (_request, response) => {
      requests++;
      response.end('{"ok":true}');
    },
  );
  made.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => made.listen(0, resolve));
  closers.push(() => made.close());
  return {
    url: `https://localhost:${(made.address() as AddressInfo).port}/`,
    requests: () => requests,
  };
}

const post = (url: string) => exchange({ method: 'POST', url, body: '{}', deadlineMs: 15_000 });

test('a trusted certificate of the right name is spoken to', async () => {
  expect(await post((await server({})).url)).toMatchObject({
    kind: 'response',
    status: 200,
    body: '{"ok":true}',
  });
});

test.each([
  ['an expired certificate', { from: -10, to: -1 }],
  ['a certificate that is not valid yet', { from: 1, to: 10 }],
  ['a certificate nobody vouches for', { trusted: false }],
  ['a certificate for another name', { host: 'elsewhere.example' }],
])('%s is "tls", and no request arrives', async (_name, options) => {
  const made = await server(options);
  expect(await post(made.url)).toEqual({ kind: 'not_sent', why: 'tls' });
  expect(made.requests()).toBe(0);
});

test('an environment that switches the check off is not listened to', async () => {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    expect(await post((await server({ trusted: false })).url)).toEqual({
      kind: 'not_sent',
      why: 'tls',
    });
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
});
